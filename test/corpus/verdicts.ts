import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import type { CorpusObject } from './read-corpus.ts';

/** What others said about the corpus: for each of them the ids by verdict; everything that is not listed is `valid`. */
export interface Verdicts {
  /** Of all ids and texts: another corpus has other verdicts. */
  readonly digest: string;
  readonly judges: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface Answer {
  readonly id: string;
  readonly verdict: string;
  /** Why, in the words of who was asked; empty when there is nothing to say. */
  readonly message: string;
}

export function digestOf(objects: readonly CorpusObject[]): string {
  const digest = createHash('sha256');
  for (const { id, text } of objects) digest.update(`${id}\0${text}\0`);
  return digest.digest('hex');
}

export function readVerdicts(file: string): Verdicts {
  return JSON.parse(readFileSync(file, 'utf8')) as Verdicts;
}

export function writeVerdicts(file: string, verdicts: Verdicts): void {
  writeFileSync(file, `${JSON.stringify(verdicts, undefined, 1)}\n`);
}

export function groupVerdicts(answers: readonly Answer[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const { id, verdict } of answers) if (verdict !== 'valid') (groups[verdict] ??= []).push(id);
  return groups;
}

export function verdictsOf(verdicts: Verdicts, judge: string): ReadonlyMap<string, string> {
  const groups = Object.entries(verdicts.judges[judge] ?? {});
  return new Map(groups.flatMap(([verdict, ids]) => ids.map((id) => [id, verdict] as const)));
}
