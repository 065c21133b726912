import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { GoldenCase } from './golden-case.ts';

const update = process.env['UPDATE_CASES'] === '1';

/** Compares a text with a file of the case, or writes it when cases are updated; undefined means that there is no such file. */
export function expectCaseFile(one: GoldenCase, path: string, text: string | undefined): void {
  const expected = one.has(path) ? one.read(path) : undefined;
  if (update && expected !== text) one.write(path, text);
  else expect(text, `${path} of the case; UPDATE_CASES=1 writes it`).toBe(expected);
}

/** Calls `work` with the files below a directory of the case on a disk, where it may change them. */
export async function withCopy<T>(one: GoldenCase, below: string, work: (directory: string) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'kurel-case-'));
  try {
    one.copyTo(copy, below);
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
