import { getOrAdd } from '../budget/index.ts';
import type { Diagnostic, Json, Location, Path, Report } from '../model/index.ts';
import { relationCodes } from '../schema/index.ts';
import type { KubernetesField } from './field.ts';

/** Options for readers of documents. */
export interface ReadingOptions {
  /** Locates a value of the data in the author's file. */
  readonly locate: (path: Path) => Location;
  readonly report: Report;
  /** The parameters that a value comes from. */
  readonly referencesAt?: ((path: Path) => readonly string[]) | undefined;
  /** A number or boolean as written at a location; `undefined` if it is not written there. */
  readonly writtenAt?: WrittenAt | undefined;
  /** Whether a value is a string with references inside. */
  readonly isMixedAt?: ((path: Path) => boolean) | undefined;
  /** Whether invalid empty strings of optional fields count as absent. */
  readonly emptyIsAbsent?: boolean | undefined;
  /** Checks the content of Kubernetes fields; without it they are not checked. */
  readonly checkKubernetes?: KubernetesCheck | undefined;
}

export type WrittenAt = (location: Location, value: number | bigint | boolean) => string | undefined;

export type KubernetesCheck = (field: KubernetesField, value: Json, place: KubernetesPlace) => void;

interface KubernetesPlace {
  /** Path of the value in the document. */
  readonly path: Path;
  /** Paths start at the root of the document. */
  readonly found: (path: Path, createAt: (locate: (path: Path) => Location) => Diagnostic) => void;
  readonly writtenAt: (path: Path, value: number | bigint | boolean) => string | undefined;
}

/** Collects findings, so that they can be reported in document order. */
export interface DocumentFindings {
  readonly options: ReadingOptions;
  /** A finding without a location is about the value at the path, or about its key. */
  add(path: Path, diagnostic: Diagnostic, at?: 'key'): void;
  /** Whether the value at this exact path is wrong, so that it must not be used. */
  has(path: Path): boolean;
  /** Reports all findings in document order. Returns whether all values are valid, even if not all may be set together. */
  reportAll(data: () => Json): boolean;
}

export function createDocumentFindings(options: ReadingOptions): DocumentFindings {
  const entries: { readonly path: Path; readonly diagnostic: Diagnostic }[] = [];
  let places: Set<string> | undefined;
  return {
    options,
    add(path, diagnostic, at) {
      const location = diagnostic.location ?? { ...options.locate(path), ...(at === undefined ? {} : { at }) };
      entries.push({ path, diagnostic: { ...diagnostic, location } });
      if (!relationCodes.has(diagnostic.code)) (places ??= new Set()).add(JSON.stringify(path));
    },
    has: (path) => places?.has(JSON.stringify(path)) === true,
    reportAll(data) {
      if (entries.length === 0) return true;
      const compare = createDocumentOrder(data());
      entries.sort((a, b) => compare(a.path, b.path));
      for (const { diagnostic } of entries) options.report(diagnostic);
      return entries.every(({ diagnostic: { severity, code } }) => severity !== 'error' || relationCodes.has(code));
    },
  };
}

/** Compares paths by document order; a parent comes before its children. */
function createDocumentOrder(data: Json): (a: Path, b: Path) => number {
  const ranks = new Map<Json, ReadonlyMap<string, number>>();
  function rankOf(holder: Json, step: string | number): number {
    if (typeof step === 'number') return step;
    const rank = getOrAdd(ranks, holder, () => {
      const keys = typeof holder === 'object' && holder !== null ? Object.keys(holder) : [];
      return new Map(keys.map((key, index) => [key, index]));
    });
    return rank.get(step) ?? -1;
  }
  return (a, b) => {
    let holder = data;
    for (let depth = 0; depth < Math.min(a.length, b.length); depth += 1) {
      const [step, other] = [a[depth]!, b[depth]!];
      if (step !== other) return rankOf(holder, step) - rankOf(holder, other);
      holder = (holder as { readonly [key in string | number]: Json })[step]!;
    }
    return a.length - b.length;
  };
}
