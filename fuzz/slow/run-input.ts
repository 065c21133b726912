import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

declare const FUZZ_REPOSITORY: string;

/** A command with the files that it finds. */
export interface Input {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

export interface Cost {
  /** Of processor time. */
  readonly seconds: number;
  readonly megabytes: number;
  /** What it died of, or printed though it never should. */
  readonly defect?: string | undefined;
}

const patience = 60_000;
const defect = /^ {4}at |failed in a way it should not|out of memory/m;

/** Runs the built program in a directory and a process of its own. */
export async function runInput({ words, files }: Input): Promise<Cost> {
  const directory = mkdtempSync(join(tmpdir(), 'kurel-slow-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    return await measure(words, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function measure(words: readonly string[], directory: string): Promise<Cost> {
  const program = join(FUZZ_REPOSITORY, 'packages', 'kurel', 'bin', 'kurel.cjs');
  const args = ['--require', join(FUZZ_REPOSITORY, 'fuzz', 'slow', 'measure.cjs'), program, ...words];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    const reported: string[] = [];
    let parsed = '';
    // What is printed is read, or the program would wait; only the beginning of what it says about itself counts.
    child.stdout!.resume();
    child.stderr!.on('data', (part: Buffer) => {
      if (parsed.length < 100_000) parsed += part.toString();
    });
    child.stdio[3]!.on('data', (part: Buffer) => void reported.push(part.toString()));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const found = defect.exec(parsed)?.[0];
      if (reported.length === 0) {
        resolve({ seconds: Infinity, megabytes: Infinity, defect: `ended by ${signal ?? `exit code ${code}`}` });
        return;
      }
      const { seconds, megabytes } = JSON.parse(reported.join('')) as Cost;
      resolve({ seconds, megabytes, ...(found === undefined ? {} : { defect: found.trim() }) });
    });
  });
}
