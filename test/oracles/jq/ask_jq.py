"""Asks the real jq (PyPI's `jq`, which contains jq 1.8.2) what a program gives."""

import json
import select
import subprocess
import sys

# `try` gives the outputs before an error as well as the value that was raised, of whatever type. The line break keeps a
# comment at the end of a program from hiding the rest.
WRAPPED = 'try ((%s\n) | ["output", tojson]) catch ["error", tojson]'
ENVIRONMENT = {"TZ": "UTC", "LC_ALL": "C", "PAGER": "less"}
SECONDS = 3


def answer(program, text):
    import jq

    try:
        # alone first: what is wrapped could close a bracket that the program leaves open
        jq.compile(program)
        compiled = jq.compile(WRAPPED % program)
    except ValueError:
        return None
    rows = compiled.input_text(text).all()
    outputs = [shown for kind, shown in rows if kind == "output"]
    errors = [shown for kind, shown in rows if kind == "error"]
    return [outputs, *errors]


def serve():
    for line in sys.stdin:
        program, text = json.loads(line)
        print(json.dumps(answer(program, text)), flush=True)


class RealJq:
    """A process that answers one question after another; a new one when jq crashes or does not end."""

    def __init__(self):
        self.process = None

    def ask(self, program, text):
        """The answer: None for a program that does not compile, else the outputs and perhaps an error. Or a reason why there is none."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, __file__],
                env=ENVIRONMENT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        self.process.stdin.write(json.dumps([program, text]) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line), ""
        self.process.kill()
        self.process.wait()
        self.process = None
        return None, "crashes" if ready else "does not end"


if __name__ == "__main__":
    serve()
