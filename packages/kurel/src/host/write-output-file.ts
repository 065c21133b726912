import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { hostProblems } from './problems.ts';
import { reportFailure } from './report-failure.ts';

/** Writes a file whole or not at all. Devices and pipes are written to as they are; the same content is not written again. */
export function writeOutputFile(path: string, text: string): void {
  reportFailure(path, () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw new DiagnosticError([blocked(path)]);
    if (stats !== undefined && !stats.isFile()) writeFileSync(path, text);
    else if (stats === undefined) replaceFile(path, text, undefined);
    // A link stays a link: what it leads to is written.
    else if (!readFileSync(path).equals(Buffer.from(text))) replaceFile(realpathSync.native(path), text, stats);
  });
}

function replaceFile(path: string, text: string, before: Stats | undefined): void {
  const staging = mkdtempSync(join(dirname(path), '.kurel-staging-'));
  try {
    const staged = join(staging, 'new');
    writeFileSync(staged, text);
    if (before !== undefined) chmodSync(staged, before.mode & 0o7777);
    renameSync(staged, path);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function blocked(path: string) {
  return hostProblems.create('output-blocked', { path, found: 'a directory', needed: 'a file' });
}
