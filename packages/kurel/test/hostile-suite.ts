import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { expectCaseFile } from './check-case.ts';
import { listCases, openCase } from './golden-case.ts';
import { commandsOf, linesOf, runHostile } from './hostile-case.ts';
import type { HostileOutcome } from './hostile-case.ts';
import { bundleProgram, startProcess } from './hostile-process.ts';
import type { HostileProcess } from './hostile-process.ts';
import { executable } from './kurel-program.ts';
import { repository } from './source-tree.ts';

const cases = join(repository, 'test', 'hostile');

/**
 * Input that was made to break, mislead or exhaust the program. A case has the files `command` (the words after `kurel`, one per
 * line; an empty line begins another command, which starts in a fresh directory), `input/` or `make.mjs` for what is in that
 * directory, perhaps `stdin`, `environment` (`NAME=VALUE`, one per line), `secrets` (texts that nothing may tell), `nobody` (it is
 * for a user who may read little), `alone` (each command needs all the memory there is), `slow` (it goes up to a default limit and
 * takes a long time, so continuous integration runs it once and `npm test` does not), and `expected`: what must happen. What must
 * never happen is in `checkOutcome`.
 *
 * The cases are run by several test files at once: each takes the cases of one part.
 */
export function testHostileCases({ isSlow, part = 0, parts = 1 }: HostileSelection): void {
  let driver: Awaited<ReturnType<typeof bundleProgram>> | undefined;
  let usual: HostileProcess | undefined;
  let poor: HostileProcess | undefined;
  beforeAll(async () => {
    driver = await bundleProgram();
    usual = startProcess(driver.file, { isNobody: false });
    poor = startProcess(driver.file, { isNobody: process.getuid?.() === 0 });
  });
  afterAll(() => {
    usual?.end();
    poor?.end();
    driver?.remove();
  });

  const selected = listCases(cases).filter((name) => openCase(join(cases, name)).has('slow') === isSlow);
  it.each(selected.filter((_, index) => index % parts === part))(
    '%s',
    async (name) => {
      const one = openCase(join(cases, name));
      const program = one.has('nobody') ? poor! : usual!;
      const isAlone = one.has('alone');
      const shown: string[] = [];
      for (const words of commandsOf(one)) {
        if (isAlone) program.end();
        const outcome = await runHostile(one, words, program);
        shown.push(describeOutcome(words, outcome));
        checkOutcome(words, outcome, linesOf(one, 'secrets'));
      }
      // Another runtime has a stack of another size.
      const dependsOnStack = one.has('expected') && one.read('expected').includes('too deeply for the stack');
      if (executable !== undefined && dependsOnStack) return;
      expectCaseFile(one, 'expected', shown.join('\n'));
    },
    300_000,
  );
}

export interface HostileSelection {
  readonly isSlow: boolean;
  readonly part?: number;
  readonly parts?: number;
}

const defect = /^ {4}at |internal-error|\b(?:Range|Type|Reference|Syntax)Error\b|out of memory|call stack/m;
// What a terminal obeys. Line breaks and tabs are text, and a carriage return is one in a file of Windows.
// oxlint-disable-next-line no-control-regex -- control characters are what must not be there
const steering = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
/** Commands that write what they have found, and those that write what they have made. */
const reporters = ['validate', 'info', 'images', 'patches', 'diff'];
const makers = ['build', 'patch', 'fmt'];

function checkOutcome(words: readonly string[], outcome: HostileOutcome, secrets: readonly string[]): void {
  const [first = ''] = words;
  // With --check nothing is made, and the diff is what was found.
  const command = words.includes('--check') ? 'diff' : first;
  const { exitCode, stdout, stderr, changes, caches, pollution } = outcome;
  const what = words.join(' ').slice(0, 200);
  expect(pollution, `${what}: names that every object now has`).toEqual([]);
  for (const text of [stdout, stderr]) {
    expect(defect.exec(text)?.[0], `${what}: a defect of the program in ${text.slice(0, 2000)}`).toBeUndefined();
    expect(steering.exec(text)?.[0], `${what}: a character that a terminal obeys`).toBeUndefined();
  }
  // Lines of a log that GitHub takes for commands. What is made is the input's own text.
  for (const text of [stderr, ...(makers.includes(command) ? [] : [stdout])]) {
    expect(/^\s*::\w.*/m.exec(text)?.[0], `${what}: a command to a CI log`).toBeUndefined();
  }
  if (exitCode !== 0) {
    if (!reporters.includes(command)) expect(stdout.slice(0, 2000), `${what}: half of an output`).toBe('');
    expect(changes, `${what}: files of a run that failed`).toEqual([]);
    expect(stdout + stderr, `${what}: a failure without a word`).not.toBe('');
  }
  // Commands that print manifests print Secrets too, because the user asked for them.
  const reported = [
    stderr,
    caches,
    ...(makers.includes(command) ? [] : [stdout, ...changes.map(({ text = '' }) => text)]),
  ];
  for (const secret of secrets) {
    expect(reported.join('\n').includes(secret), `${what}: ${secret} is shown`).toBe(false);
  }
}

function describeOutcome(words: readonly string[], { exitCode, stdout, stderr, changes }: HostileOutcome): string {
  const files = changes.map(({ path, text }) => {
    const name = JSON.stringify(path).slice(1, -1);
    return text === undefined ? `===== ${name} is gone\n` : section(shortenLine(name), text, mostLinesOfFile);
  });
  const heading = `$ kurel ${words.map((word) => shortenLine(JSON.stringify(word))).join(' ')}\n`;
  return [heading, `exit ${exitCode}\n`, section('stdout', stdout), section('stderr', stderr), ...files].join('');
}

const mostLines = 40;
const mostLinesOfFile = 10;
const mostCharacters = 240;

function section(name: string, text: string, most = mostLines): string {
  if (text === '') return '';
  const lines = text.replace(/\n$/, '').split('\n');
  const rest = lines.length > most ? [`[and ${lines.length - most} lines more]`] : [];
  const shown = [...lines.slice(0, most).map(shortenLine), ...rest].join('\n');
  return `===== ${name}\n${shown}\n${text.endsWith('\n') ? '' : '===== (no line break at the end)\n'}`;
}

function shortenLine(line: string): string {
  if (line.length <= mostCharacters) return line;
  return `${line.slice(0, mostCharacters - 40)}[… ${line.length} characters …]${line.slice(-20)}`;
}
