import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import type { MutatedKind } from './mutate-kinds.ts';

/** What Kubernetes' own code says about each mutation. */
export interface KindVerdicts {
  /** Of all mutated objects: others have other verdicts. */
  readonly digest: string;
  /** By kind one character for each mutation: `1` when it would be stored, `0` when it is refused. */
  readonly kinds: Readonly<Record<string, string>>;
}

/** The mutations that are kept as verdicts: a change of either needs new ones. */
export const mutationOptions = { seed: 34, count: 400 } as const;

export function digestOf(kinds: readonly MutatedKind[]): string {
  const digest = createHash('sha256');
  for (const { mutations } of kinds) for (const { object } of mutations) digest.update(`${JSON.stringify(object)}\n`);
  return digest.digest('hex');
}

export function readKindVerdicts(file: string): KindVerdicts {
  return JSON.parse(readFileSync(file, 'utf8')) as KindVerdicts;
}

export function writeKindVerdicts(file: string, verdicts: KindVerdicts): void {
  writeFileSync(file, `${JSON.stringify(verdicts, undefined, 1)}\n`);
}
