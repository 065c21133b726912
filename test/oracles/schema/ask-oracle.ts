import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { canonicalJson } from '../../../packages/kurel/src/model/index.ts';
import type { Json } from '../../../packages/kurel/src/model/index.ts';
import type { Answer } from '../../corpus/verdicts.ts';

const go = process.platform === 'win32' ? 'go.exe' : 'go';

/** See README.md. */
export type OracleLine =
  | { readonly definition: unknown }
  | { readonly cluster: string }
  | { readonly id: string; readonly object: Json };

/** What Kubernetes' own code says about each object, in order. The first call builds it, which takes some minutes. */
export function askOracle(root: string, lines: readonly OracleLine[]): readonly Answer[] {
  // As in scripts/tools.mjs: with other flags Go would compile anew what both have in common.
  const { stdout, stderr, status, error } = spawnSync(go, ['run', '-trimpath', '.'], {
    cwd: join(root, 'test', 'oracles', 'schema'),
    env: { ...process.env, CGO_ENABLED: '0' },
    encoding: 'utf8',
    input: lines.map(writeLine).join('\n'),
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw error ?? new Error(stderr);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [id, verdict, message] = JSON.parse(line) as [string, string, string];
      return { id, verdict, message };
    });
}

export function hasGo(): boolean {
  return spawnSync(go, ['version']).status === 0;
}

function writeLine(line: OracleLine): string {
  if (!('object' in line)) return JSON.stringify(line);
  return `{"id":${JSON.stringify(line.id)},"object":${canonicalJson(line.object)}}`;
}
