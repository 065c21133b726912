import type { Diagnostic, Json, Location, Path, Report } from '../../../model/index.ts';
import type { KubernetesField } from './field.ts';

/** What readers of documents need besides the data. */
export interface ReadingOptions {
  /** The place of a value of the data in what the author wrote. */
  readonly locate: (path: Path) => Location;
  readonly report: Report;
  /** The parameters that a value was filled in from. */
  readonly referencesAt?: ((path: Path) => readonly string[]) | undefined;
  /** A number or boolean as its author wrote it at a place; `undefined` when it does not stand there itself. */
  readonly writtenAt?: WrittenAt | undefined;
  /** Whether a value is a text that references were put into. */
  readonly isMixedAt?: ((path: Path) => boolean) | undefined;
  /** Whether optional texts that are empty are taken for absent where they could only be refused. */
  readonly emptyIsAbsent?: boolean | undefined;
  /** Checks what is in a field of Kubernetes; without it nothing in such fields is looked at. */
  readonly checkKubernetes?: KubernetesCheck | undefined;
}

export type WrittenAt = (location: Location, value: number | bigint | boolean) => string | undefined;

export type KubernetesCheck = (field: KubernetesField, value: Json, place: KubernetesPlace) => void;

interface KubernetesPlace {
  /** Of the value in the document. */
  readonly path: Path;
  /** Paths lead from the root of the document. */
  readonly found: (path: Path, createAt: (locate: (path: Path) => Location) => Diagnostic) => void;
  readonly writtenAt: (path: Path, value: number | bigint | boolean) => string | undefined;
}

/** Collects what is wrong with a document, so that it can be told in the order of the document. */
export interface Findings {
  readonly options: ReadingOptions;
  add(path: Path, diagnostic: Diagnostic): void;
  /** Whether something is wrong at this very place, so that nothing is made of what stands there. */
  has(path: Path): boolean;
  /** The place of a key, as that of a value is `options.locate`. */
  locateKey(path: Path): Location;
  /** Tells everything that was collected, by the order of the data, and whether all of it is harmless. */
  reportFinding(data: () => Json): boolean;
}

export function createFindings(options: ReadingOptions): Findings {
  const found: { readonly path: Path; readonly diagnostic: Diagnostic }[] = [];
  const places = new Set<string>();
  return {
    options,
    add(path, diagnostic) {
      found.push({ path, diagnostic });
      places.add(JSON.stringify(path));
    },
    has: (path) => places.size > 0 && places.has(JSON.stringify(path)),
    locateKey: (path) => ({ ...options.locate(path), at: 'key' }),
    reportFinding(data) {
      if (found.length === 0) return true;
      const compare = createDocumentOrder(data());
      found.sort((a, b) => compare(a.path, b.path));
      for (const { diagnostic } of found) options.report(diagnostic);
      return found.every(({ diagnostic }) => diagnostic.severity !== 'error');
    },
  };
}

/** Compares paths as their values follow one another in a document; a holder comes before what it holds. */
function createDocumentOrder(data: Json): (a: Path, b: Path) => number {
  const ranks = new Map<Json, ReadonlyMap<string, number>>();
  function rankOf(holder: Json, step: string | number): number {
    if (typeof step === 'number') return step;
    let rank = ranks.get(holder);
    if (rank === undefined) {
      const keys = typeof holder === 'object' && holder !== null ? Object.keys(holder) : [];
      rank = new Map(keys.map((key, index) => [key, index]));
      ranks.set(holder, rank);
    }
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
