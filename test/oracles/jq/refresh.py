"""Asks the real jq all questions again and writes its answers to answers.tsv. See README.md."""

import json
import pathlib

import make_programs
from ask_jq import RealJq

HERE = pathlib.Path(__file__).parent
RANDOM = {"seed": 18, "count": 700}


def written_programs(path):
    for line in path.read_text().splitlines():
        if line and not line.startswith("# "):
            program, _, text = line.partition(" ← ")
            yield program, text or "null"


def pattern_lines():
    lines = (HERE / "programs" / "patterns.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


def all_programs(builtins):
    for path in sorted((HERE / "programs").glob("*.txt")):
        if path.name != "patterns.txt":
            yield from written_programs(path)
    yield from make_programs.pattern_programs(pattern_lines())
    yield from make_programs.builtin_programs(builtins)
    yield from make_programs.operator_programs()
    yield from make_programs.path_programs()
    yield from make_programs.update_programs()
    yield from make_programs.random_programs(**RANDOM)


def fields(answer):
    """`?` for a program that does not compile, else the outputs and, after `!`, the value that was raised."""
    if answer is None:
        return ["?"]
    outputs, *errors = answer
    return outputs + [f"! {error}" for error in errors]


def is_worth_keeping(program, name, answer):
    """A builtin that refuses a whole group of inputs refuses it in the mixed group, too. One empty match is enough."""
    if name == "unicode" and answer is not None:
        return any('"' in output[1:] and '""' not in output for output in answer[0]) or '"a*"' in program
    if not program.startswith(".[] | try [") or name in ("mixed", "subjects", "containers") or answer is None:
        return True
    return not all(output.startswith('"') for output in answer[0])


def main():
    jq = RealJq()
    (outputs,), _ = jq.ask("builtins | sort", "null")
    names = json.loads(outputs[0])
    rows = {}
    for program, name in all_programs(names):
        text = make_programs.INPUTS.get(name, name)
        if (program, name) in rows:
            continue
        answer, trouble = jq.ask(program, text)
        if trouble:
            print(f"left out, because jq {trouble}: {program}")
        elif is_worth_keeping(program, name, answer):
            rows[program, name] = "\t".join([program, name, *fields(answer)])
    (HERE / "answers.tsv").write_text("\n".join(rows.values()) + "\n")
    shared = {"builtins": names, "inputs": make_programs.INPUTS}
    (HERE / "shared.json").write_text(json.dumps(shared, ensure_ascii=False, indent=2) + "\n")
    print(f"{len(rows)} programs")


if __name__ == "__main__":
    main()
