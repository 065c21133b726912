import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { runProgram } from './run-program.ts';
import { findOriginals } from './original-source.ts';
import { toolFile } from './render-case.ts';
import { listFiles, repository } from './source-tree.ts';
import { startRegistry } from './start-registry.ts';

export const tutorials: string = join(repository, 'docs', 'tutorials');

const originals = findOriginals();

/** Directories that commands refer to, as in `$PODINFO`. */
const directories: Readonly<Record<string, string>> = { KUREL: repository, ...nameOriginals() };

function nameOriginals(): Readonly<Record<string, string>> {
  if ('missing' in originals) return {};
  const { podinfo = '', loki = '' } = originals.directories;
  return { PODINFO: podinfo, LOKI: loki };
}

/** The registry in pages. It is as long as the address of a real one, so that tables and excerpts are the same. */
const registryName = 'localhost:50000';

/** The pages; one that needs what this machine does not have is left out loudly, and fails in CI. */
export function listTutorials(): readonly string[] {
  const pages = listFiles(tutorials, '.md');
  if (process.env['CI'] === 'true') return pages;
  return pages.filter((page) => {
    const missing = findMissing(page);
    if (missing !== undefined) console.warn(`SKIPPED: the tutorial ${page}: ${missing}`);
    return missing === undefined;
  });
}

function findMissing(page: string): string | undefined {
  if (page === 'migrate.md') return 'missing' in originals ? originals.missing : undefined;
  return page === 'publish.md' ? findMissingForPublishing() : undefined;
}

function findMissingForPublishing(): string | undefined {
  if (!existsSync(toolFile('registry'))) return 'registry is not installed; run `npm run tools`';
  return spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed';
}

/**
 * Follows a tutorial from top to bottom in a directory of its own: writes the files, makes the edits, runs the commands. Returns the
 * page with the real output of the commands.
 *
 * - a block after a line `**`web/app.yaml`**` is that file, or with language `diff` an edit of it;
 * - a `console` block has commands after `$ ` (a `\` at the end of a line continues it) and their output; a line `…` stands for
 *   omitted output;
 * - a page that names `localhost:50000` gets a registry of its own. Commands and files have its real address, the page does not.
 */
export async function playTutorial(text: string, directory: string, options: TutorialOptions = {}): Promise<string> {
  const shell: Shell = { directory, exitCode: 0, ...options };
  if (!text.includes(registryName)) return await playPage(text, shell);
  const missing = findMissingForPublishing();
  if (missing !== undefined) throw new Error(missing);
  const storage = mkdtempSync(join(tmpdir(), 'kurel-tutorial-registry-'));
  const { host, stop } = await startRegistry(storage);
  try {
    return (await playPage(text.replaceAll(registryName, host), shell)).replaceAll(host, registryName);
  } finally {
    await stop();
    rmSync(storage, { recursive: true, force: true });
  }
}

async function playPage(text: string, shell: Shell): Promise<string> {
  const { directory } = shell;
  let played = '';
  let end = 0;
  for (const match of text.matchAll(/^(?:\*\*`([^`\n]+)`\*\*\n\n?)?(`{3,})(\w*)\n([^]*?)^\2$/gm)) {
    const [block, file, fence = '', language = '', body = ''] = match;
    played += text.slice(end, match.index);
    end = match.index + block.length;
    played += language === 'console' ? `${fence}console\n${await playConsole(shell, body)}${fence}` : block;
    if (file === undefined) continue;
    if (language === 'diff') makeEdit(join(directory, file), body);
    else writeShown(join(directory, file), body);
  }
  return played + text.slice(end);
}

interface TutorialOptions {
  /** Called with the arguments of each kurel command after it has run. */
  readonly afterKurel?: (words: readonly string[], exitCode: number) => Promise<void>;
  /** The user's home directory, in which kurel keeps results of earlier runs. */
  readonly home?: string;
}

interface Shell extends TutorialOptions {
  readonly directory: string;
  /** What `$?` is. */
  exitCode: number;
}

function writeShown(path: string, body: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, body);
}

function makeEdit(path: string, body: string): void {
  const lines = body.trimEnd().split('\n');
  const keep = (mark: string) =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === mark)
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const [before, after] = [keep('-'), keep('+')];
  const text = readFileSync(path, 'utf8');
  const places = Array.from(text.matchAll(/^/gm), ({ index }) => index).filter((at) => text.startsWith(before, at));
  if (places.length !== 1) throw new Error(`the edit of ${path} matches ${places.length} places:\n${before}`);
  writeFileSync(path, text.slice(0, places[0]) + after + text.slice(places[0]! + before.length));
}

async function playConsole(shell: Shell, body: string): Promise<string> {
  let played = '';
  for (const session of body.split(/^(?=\$ )/m)) {
    const command = /^\$ (?:.*\\\n)*.*\n/.exec(session)?.[0];
    if (command === undefined) throw new Error(`a console block begins with "$ ", not with ${session}`);
    const printed = await runLine(shell, command.slice(2).replaceAll(/\s*\\\n\s*/g, ' '));
    played += command + leaveOut(printed, session.slice(command.length));
  }
  return played;
}

/**
 * Omits from the output what the page omits: as many lines stay at the start and at the end, and between two `…` those that the
 * page shows. If they are missing, nothing is omitted, and the test fails.
 */
function leaveOut(printed: string, shown: string): string {
  const parts = shown.split(/^…\n/m).map((part) => part.split('\n').slice(0, -1));
  const real = printed.split('\n').slice(0, -1);
  const [first = [], ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return printed;
  const end = real.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = real.findIndex(
      (_, index) => index >= at && part.every((line, offset) => real[index + offset] === line),
    );
    if (found === -1) return printed;
    at = found + part.length;
  }
  if (at >= end) return printed;
  const kept = [real.slice(0, first.length), ...rest, real.slice(end)];
  return kept.map((part) => part.map((line) => `${line}\n`).join('')).join('…\n');
}

async function runLine(shell: Shell, line: string): Promise<string> {
  const words = Array.from(
    insertFiles(shell, line).matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  if (line.trim() === 'echo $?') return `${shell.exitCode}\n`;
  const [program = '', ...rest] = words.map((word) =>
    word.replace(/\$([A-Z]+)/, (reference, name: string) => directories[name] ?? reference),
  );
  return program === 'kurel' ? await runKurel(shell, rest) : runOther(shell, program, rest);
}

/** `$(cat FILE)` as shells do it. */
function insertFiles({ directory }: Shell, line: string): string {
  return line.replaceAll(/\$\(cat (\S+)\)/g, (_, file: string) =>
    readFileSync(join(directory, file), 'utf8').trimEnd(),
  );
}

/** Both outputs as a terminal shows them, in the order in which they were written; `> FILE` keeps one of them back. */
async function runKurel(shell: Shell, words: readonly string[]): Promise<string> {
  const into = words.indexOf('>');
  let [shown, kept] = ['', ''];
  const own = into === -1 ? words : words.slice(0, into);
  const { exitCode } = await runProgram(own, {
    workingDirectory: shell.directory,
    variables: { PATH: process.env['PATH'], HOME: shell.home },
    writeStdout: (text) => (into === -1 ? (shown += text) : (kept += text)),
    writeStderr: (text) => (shown += text),
  });
  shell.exitCode = exitCode;
  await shell.afterKurel?.(own, exitCode);
  if (into !== -1) writeFileSync(join(shell.directory, words[into + 1]!), kept);
  return shown;
}

const others = ['cat', 'cp', 'git', 'ls', 'mkdir', 'openssl'];

function runOther(shell: Shell, program: string, words: readonly string[]): string {
  if (!others.includes(program)) throw new Error(`a tutorial has no ${program}`);
  const { directory } = shell;
  shell.exitCode = 0;
  return execFileSync(program, words, {
    cwd: directory,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((who) => [
          [`GIT_${who}_NAME`, 'Reader'],
          [`GIT_${who}_EMAIL`, 'reader@example.com'],
        ]),
      ),
    },
  });
}
