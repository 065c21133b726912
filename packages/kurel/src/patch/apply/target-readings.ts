import { quote } from '../../diagnostics/index.ts';
import { locateObject, nameOf, namespaceOf } from '../../kube/index.ts';
import type { KubeObject, Location } from '../../model/index.ts';
import type { Target } from '../patch.ts';
import { describeSteps } from './format-path.ts';
import { expandPath } from './kind-shape.ts';
import type { PatchRun } from './patch-run.ts';
import type { PlainStep } from './prepare-field.ts';
import { applyProblems } from './problems.ts';

/** The objects that a patch applies to. */
export interface Resolved {
  readonly indexes: readonly number[];
  /** Number of leading path steps that are part of the name. */
  readonly consumed: number;
  /** Whether a wildcard matched them: then some of them may lack the selected item. */
  readonly isPattern?: boolean;
  /** Whether the wildcard covers every kind: then only kinds that have the field count. */
  readonly isAnyKind?: boolean;
}

/** One way to read a name: the objects that have it, and how many steps of the path belong to it. */
export type Reading = Pick<Resolved, 'indexes' | 'consumed'>;

export interface Naming {
  readonly text: string;
  readonly target: Target;
  readonly location: Location;
  readonly context: PatchRun;
}

/** Never guesses: neither between two readings of a name, nor between several objects with the same one. */
export function onlyReading(
  readings: readonly Reading[],
  naming: Naming & {
    /** What a reading means, and the text that has no other meaning. */
    readonly explain: (
      index: number,
      consumed: number,
      /** Whether the reading has no other object, which has the same name. */
      isAlone: boolean,
    ) => { readonly meaning: string; readonly spelling: string };
  },
): Resolved | undefined {
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  if (others.every(({ indexes, consumed }) => consumed === first.consumed && isSame(indexes, first.indexes))) {
    return single(first, naming);
  }
  if (!isNews(naming)) return undefined;
  const { text, location, context, explain } = naming;
  const explained = readings.flatMap(({ indexes, consumed }) =>
    indexes.map((index) => explain(index, consumed, indexes.length === 1)),
  );
  const spellings = new Map(explained.map((reading) => [reading.spelling, reading]));
  const args = { target: text, candidates: [], readings: [...spellings.values()] };
  context.report(applyProblems.create('target-ambiguous', args, { location }));
  return undefined;
}

/** `the field "tls" of Secret "web"`: with the name in quotes, it is clear where it ends. */
export function describeReading(object: KubeObject, rest: readonly PlainStep[]): string {
  const namespace = namespaceOf(object);
  const where = namespace === '' ? '' : ` in namespace ${quote(namespace)}`;
  const named = `${object.kind} ${quote(nameOf(object))}${where}`;
  return rest.length === 0 ? named : `the field ${quote(describeSteps(rest))} of ${named}`;
}

/** The rest of a path as it has to be written below the name: a key of data needs its field. */
export function restInFull(rest: readonly PlainStep[], position: number, context: PatchRun): readonly PlainStep[] {
  const { object, shape } = context.open(position);
  const expanded = expandPath(rest, object, shape);
  if (expanded.type !== 'unknown' || expanded.parent === undefined) return rest;
  return [{ type: 'field', name: expanded.parent, quoted: false }, ...rest];
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((index, position) => index === b[position]);
}

/** All entries of a section share one target, which is reported once. */
function isNews({ target, context: { reported } }: Naming): boolean {
  if (target.type === 'derived') return true;
  if (reported.has(target)) return false;
  reported.add(target);
  return true;
}

function single({ indexes, consumed }: Reading, naming: Naming): Resolved | undefined {
  if (indexes.length === 1) return { indexes, consumed };
  if (!isNews(naming)) return undefined;
  const { text, location, context } = naming;
  const { index, report, objects, options } = context;
  const keys = index.keys();
  const candidates = indexes.map((position) => keys[position]!);
  const isGrouped = new Set(indexes.map((position) => index.keyOf(position))).size < indexes.length;
  const isNamespaced = candidates.some((key) => key.includes('/'));
  const advice =
    new Set(candidates).size < candidates.length
      ? undefined
      : isGrouped
        ? 'use kind@group/name'
        : isNamespaced
          ? 'use namespace/kind.name'
          : 'use kind.name';
  // Only their location distinguishes objects with the same name.
  const related =
    advice !== undefined || options.origins === undefined
      ? []
      : indexes.flatMap((position) => locateObject(objects[position]!, options.origins!, ['metadata', 'name']) ?? []);
  const notes = related.map((place) => ({ message: 'one of them is here', location: place }));
  const args = { target: text, candidates, advice };
  report(
    applyProblems.create('target-ambiguous', args, { location, ...(notes.length === 0 ? {} : { related: notes }) }),
  );
  return undefined;
}
