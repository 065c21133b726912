import type { Path } from '../../../model/index.ts';
import type { Findings, ReadingOptions } from './findings.ts';
import { documentProblems } from './problems.ts';

export interface PlatformOptions extends ReadingOptions {
  /** With it, traits that nobody knows are told: what is said about them has no effect. */
  readonly known?: { readonly traits: Iterable<string> } | undefined;
}

export type TraitCheck = (trait: string, path: Path, at?: 'key') => void;

/** Tells the traits that are not known, at the places where they are spoken of. */
export function createTraitCheck(
  { known }: PlatformOptions,
  findings: Findings,
  code: 'capability-trait-unknown' | 'policy-trait-unknown',
): TraitCheck {
  if (known === undefined) return () => undefined;
  const traits = new Set(known.traits);
  const sorted = [...traits].toSorted();
  return (trait, path, at) => {
    if (traits.has(trait) || findings.has(path)) return;
    const location = at === 'key' ? findings.locateKey(path) : findings.options.locate(path);
    findings.add(path, documentProblems.create(code, { trait, known: sorted }, { location }));
  };
}
