import { createHash, createHmac } from 'node:crypto';

import { decodeActionResult, encodeActionResult } from '../src/cli/fleet/cache/action-result.ts';
import type { ActionResult } from '../src/cli/fleet/cache/action-result.ts';
import type { CachedTarget } from '../src/cli/fleet/cache/cached-target.ts';

/** Changes all results of a cache, and signs them without a key, as an attacker could. */
export function rewriteResults(
  entries: Map<string, Buffer>,
  change: (result: CachedTarget) => unknown,
  write: (data: unknown) => string = JSON.stringify,
): void {
  for (const [path, bytes] of entries) {
    const [file] = path.startsWith('/ac/') ? decodeActionResult(bytes)!.files : [];
    if (file === undefined) continue;
    const result = JSON.parse(entries.get(`/cas/${file.hash}`)!.toString()) as CachedTarget;
    const content = Buffer.from(write(change(result)));
    const hash = createHash('sha256').update(content).digest('hex');
    entries.set(`/cas/${hash}`, content);
    const files = [{ path: file.path, hash, size: content.length }];
    entries.set(path, sign(path, { files, stdout: new Uint8Array() }));
  }
}

/** Changes what all targets have read, for each set of settings. */
export function rewriteReads(entries: Map<string, Buffer>, change: (variants: string[][]) => unknown): void {
  for (const [path, bytes] of entries) {
    const { files, stdout } = path.startsWith('/ac/') ? decodeActionResult(bytes)! : { files: [{}], stdout: '' };
    if (files.length > 0) continue;
    const changed = change(JSON.parse(Buffer.from(stdout).toString()) as string[][]);
    entries.set(path, sign(path, { files: [], stdout: Buffer.from(JSON.stringify(changed)) }));
  }
}

function sign(path: string, given: Omit<ActionResult, 'stderr'>): Buffer {
  const name = `kurel cache entry ${path.slice('/ac/'.length)}\n`;
  const unsigned = encodeActionResult({ ...given, stderr: new Uint8Array() });
  const stderr = createHmac('sha256', '').update(name).update(unsigned).digest();
  return Buffer.from(encodeActionResult({ ...given, stderr }));
}
