import type { FleetTarget } from '../../fleet/index.ts';
import { normalisePath } from '../../forms/index.ts';
import type { LayoutName, Risk } from '../../index.ts';
import { generaliserFor, groupAlike } from './generalise.ts';
import type { TargetChange } from './generalise.ts';

/** Where a target writes, and as what. */
export interface TargetPlace {
  readonly target: FleetTarget;
  /** Absent if the package has no name and the fleet file sets none: the owner of the files is named after their path. */
  readonly instance: string | undefined;
  readonly layout: LayoutName;
}

/** A setting that decides which files a target owns, so that another value moves them. */
export interface TargetMove {
  readonly setting: 'name' | 'output' | 'instance' | 'layout' | 'artifact';
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly risk?: Risk | undefined;
}

export type GroupedMove = TargetMove & { readonly targets: readonly string[] };

/** Each target with the one that it was: that of the same name or, if it was renamed, that with the same output. */
export function pairTargets(
  before: readonly FleetTarget[],
  after: readonly FleetTarget[],
): ReadonlyMap<string, FleetTarget> {
  const current = new Set(after.map(({ name }) => name));
  const byName = new Map(before.map((target) => [target.name, target]));
  const gone = before.filter(({ name }) => !current.has(name));
  const byOutput = new Map(gone.map((target) => [normalisePath(target.settings.output), target]));
  return new Map(
    after.flatMap((target) => {
      const earlier = byName.get(target.name) ?? byOutput.get(normalisePath(target.settings.output));
      return earlier === undefined ? [] : [[target.name, earlier] as const];
    }),
  );
}

/** Layouts whose directories and kustomizations the objects of a controller name. */
const entryLayouts: readonly LayoutName[] = ['phases', 'flux', 'argocd'];

/** What moves the files of a target. */
export function findMoves(before: TargetPlace, after: TargetPlace): readonly TargetChange<TargetMove>[] {
  const [from, to] = [before.target.settings, after.target.settings];
  const hasEntries = [before, after].some(({ layout }) => entryLayouts.includes(layout));
  const isFlux = [before, after].some(({ layout }) => layout === 'flux');
  const moves: readonly TargetMove[] = [
    { setting: 'output', before: normalisePath(from.output), after: normalisePath(to.output), risk: 'pruning' },
    { setting: 'layout', before: before.layout, after: after.layout, risk: hasEntries ? 'pruning' : undefined },
    // Flux Kustomizations are named after the instance.
    { setting: 'instance', before: before.instance, after: after.instance, risk: isFlux ? 'pruning' : undefined },
    { setting: 'name', before: before.target.name, after: after.target.name },
    { setting: 'artifact', before: from.artifact, after: to.artifact },
  ];
  const target = after.target.name;
  const generalise = generaliserFor(after.target, before.target);
  return moves.flatMap((change) => (change.before === change.after ? [] : [{ change, target, generalise }]));
}

/** Equal moves once, risky ones first. */
export function groupMoves(moves: readonly TargetChange<TargetMove>[]): readonly GroupedMove[] {
  const rank = ({ risk }: GroupedMove): number => (risk === undefined ? 1 : 0);
  return groupAlike(moves).toSorted((a, b) => rank(a) - rank(b));
}
