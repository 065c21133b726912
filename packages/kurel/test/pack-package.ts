import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { readTar } from '../src/archive/read-tar.ts';
import { repository } from './source-tree.ts';

export interface PackedPackage {
  readonly tarball: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** By path inside the package. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** What `npm publish` would send for the package in `packages/NAME`, as it is built now. */
export function packPackage(name: string, destination: string): PackedPackage {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination, '-w', `packages/${name}`];
  const answer: unknown = JSON.parse(
    execFileSync('npm', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  // Some versions of npm answer with a list, others with an object.
  const [report] = Object.values(answer as Readonly<Record<string, { readonly filename: string }>>);
  const tarball = join(destination, report!.filename);
  const bytes = readFileSync(tarball);
  const files = new Map<string, Uint8Array>();
  for (const entry of readTar(gunzipSync(bytes))) {
    if (entry.type === 'file') files.set(entry.name.replace(/^package\//, ''), entry.bytes);
  }
  const unpackedBytes = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { tarball, packedBytes: bytes.byteLength, unpackedBytes, files };
}
