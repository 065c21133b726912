import { createHash, createHmac } from 'node:crypto';

import { decodeActionResult, encodeActionResult } from '../src/cli/fleet/cache/action-result.ts';

/** Changes the paths in all results of a cache, and signs them without a key, as an attacker could. */
export function rewriteEntries(entries: Map<string, Buffer>, rename: (path: string) => string): void {
  for (const [path, bytes] of entries) {
    if (!path.startsWith('/ac/')) continue;
    const { files, stdout } = decodeActionResult(bytes)!;
    const [file] = files;
    if (file === undefined) continue;
    const result = JSON.parse(entries.get(`/cas/${file.hash}`)!.toString()) as {
      files: { path: string; text: string }[];
    };
    const content = Buffer.from(
      JSON.stringify({ ...result, files: result.files.map((one) => ({ text: one.text, path: rename(one.path) })) }),
    );
    const hash = createHash('sha256').update(content).digest('hex');
    entries.set(`/cas/${hash}`, content);
    const entry = { files: [{ path: file.path, hash, size: content.length }], stdout, stderr: new Uint8Array() };
    const name = `kurel cache entry ${path.slice('/ac/'.length)}\n`;
    const stderr = createHmac('sha256', '').update(name).update(encodeActionResult(entry)).digest();
    entries.set(path, Buffer.from(encodeActionResult({ ...entry, stderr })));
  }
}
