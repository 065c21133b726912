import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { GoldenCase } from './golden-case.ts';
import type { HostileAnswer } from './hostile-driver.ts';
import type { HostileProcess } from './hostile-process.ts';
import { repository } from './source-tree.ts';

export interface HostileOutcome extends HostileAnswer {
  /** Files that were made or changed, with their texts, or are gone. */
  readonly changes: readonly { readonly path: string; readonly text: string | undefined }[];
  /** Everything that was left in the user's cache directory. */
  readonly caches: string;
}

/** The commands of a case: one word per line, and an empty line between commands; `«.a»×9` in a word is nine times `.a`. */
export function commandsOf(one: GoldenCase): readonly (readonly string[])[] {
  const text = one.read('command').replace(/\n$/, '');
  return text.split('\n\n').map((command) => command.split('\n').map(spellOut));
}

function spellOut(word: string): string {
  return word.replaceAll(/«([^»]*)»×(\d+)/g, (_, part: string, times: string) => part.repeat(Number(times)));
}

export function linesOf(one: GoldenCase, name: string): readonly string[] {
  if (!one.has(name)) return [];
  return one
    .read(name)
    .split('\n')
    .filter((line) => line !== '');
}

/** One command of a case, in a directory of its own. */
export async function runHostile(
  one: GoldenCase,
  words: readonly string[],
  program: HostileProcess,
): Promise<HostileOutcome> {
  const place = mkdtempSync(join(tmpdir(), 'kurel-hostile-'));
  try {
    const [work, caches] = [join(place, 'work'), join(place, 'caches')];
    for (const path of [work, caches]) mkdirSync(path);
    await fill(one, work, words);
    for (const path of [place, work]) chmodSync(path, 0o755);
    const before = readTree(work);
    const made = join(work, 'stdin');
    const given = join(place, 'stdin');
    if (one.has('stdin')) writeFileSync(given, one.read('stdin'));
    const answer = await program.call({
      words,
      workingDirectory: work,
      variables: { PATH: process.env['PATH'], XDG_CACHE_HOME: caches, ...variablesOf(one) },
      toolsDirectory: join(repository, '.tools', 'bin'),
      stdin: existsSync(made) ? made : given,
    });
    const cached = [...readTree(caches)].flat().join('\n');
    // Other programs say whole paths.
    const [stdout, stderr] = [answer.stdout, answer.stderr].map((text) => text.replaceAll(`${work}/`, ''));
    return {
      ...answer,
      stdout: stdout!,
      stderr: stderr!,
      changes: findChanges(before, readTree(work)),
      caches: cached,
    };
  } finally {
    removeAll(place);
  }
}

interface Maker {
  /** Gets the words of the command, for those that make a lot and need little of it. */
  readonly make: (directory: string, words: readonly string[]) => unknown;
}

async function fill(one: GoldenCase, work: string, words: readonly string[]): Promise<void> {
  one.copyTo(work, 'input');
  if (one.directory === undefined || !one.has('make.mjs')) return;
  const { make } = (await import(pathToFileURL(join(one.directory, 'make.mjs')).href)) as Maker;
  await make(work, words);
}

function variablesOf(one: GoldenCase): Readonly<Record<string, string>> {
  const lines = linesOf(one, 'environment');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Files by their paths; links are not followed, and only named. */
function readTree(directory: string, below = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    const full = join(directory, path);
    if (entry.isSymbolicLink()) found.set(path, `a link to ${readlinkSync(full)}`);
    else if (entry.isFile()) found.set(path, readContent(full));
    // A case may have closed a directory; nothing is written there.
    else if (entry.isDirectory() && (statSync(full).mode & 0o500) === 0o500) {
      for (const [inner, text] of readTree(directory, path)) found.set(inner, text);
    }
  }
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function readContent(file: string): string {
  const { size, mode } = statSync(file);
  // Only inputs are that large, and what matters is that they are still there.
  if (size > 1_000_000) return `${size} bytes`;
  return (mode & 0o400) === 0 ? 'closed' : readFileSync(file, 'latin1');
}

/** Removes a directory, and what in it is closed. */
function removeAll(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (!entry.isDirectory()) continue;
    chmodSync(path, 0o755);
    removeAll(path);
  }
  rmSync(directory, { recursive: true, force: true });
}

function findChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): HostileOutcome['changes'] {
  const written = [...after].filter(([path, text]) => before.get(path) !== text);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...written.map(([path, text]) => ({ path, text })), ...gone.map((path) => ({ path, text: undefined }))];
}
