import type { FleetDocument, FleetSettings } from '../documents/index.ts';
import type { Path } from '../model/index.ts';
import type { FleetContext } from './fleet.ts';

/** One place in the fleet file that has settings. */
export interface Level {
  readonly path: Path;
  readonly settings: FleetSettings;
}

type Spec = FleetDocument['spec'];

interface Heir {
  readonly application?: string | undefined;
  readonly cluster?: string | undefined;
  readonly entries: readonly Level[];
}

/**
 * Finds all levels that a target inherits from, later ones override earlier ones: defaults, cluster, application, then the entries that
 * create the target. Each comes after the groups that it extends. A group counts once, at its first place.
 */
export function createInheritance(
  { defaults, groups, clusters, applications }: Spec,
  { steps }: Pick<FleetContext, 'steps'>,
): (heir: Heir) => readonly Level[] {
  const chains = new Map<Level, readonly Level[]>();
  const groupLevels = levelsIn(groups, 'groups');
  const clusterLevels = levelsIn(clusters, 'clusters');
  const applicationLevels = levelsIn(applications, 'applications');
  const first: Level = { path: ['spec', 'defaults'], settings: defaults };

  /** The level after its groups, each of which is followed once. There are no cycles, or they were reported. */
  function chainOf(level: Level): readonly Level[] {
    const cached = chains.get(level);
    if (cached !== undefined) return cached;
    const chain = new Set<Level>();
    for (const name of new Set(level.settings.extends)) {
      const group = groupLevels.get(name);
      if (group === undefined) continue;
      const extended = chainOf(group);
      steps.take(extended.length, level.path);
      for (const inner of extended) chain.add(inner);
    }
    const complete = [...chain.add(level)];
    chains.set(level, complete);
    return complete;
  }

  return ({ application, cluster, entries }) => {
    const named = [clusterLevels.get(cluster ?? ''), applicationLevels.get(application ?? '')];
    const all = new Set<Level>();
    for (const own of [first, ...named, ...entries]) {
      if (own === undefined) continue;
      const chain = chainOf(own);
      steps.take(chain.length, own.path);
      for (const level of chain) all.add(level);
    }
    return [...all];
  };
}

function levelsIn(
  table: Readonly<Record<string, FleetSettings>>,
  key: 'groups' | 'clusters' | 'applications',
): ReadonlyMap<string, Level> {
  return new Map(Object.entries(table).map(([name, settings]) => [name, { path: ['spec', key, name], settings }]));
}

/** Groups are followed recursively. */
const mostGroups = 1000;

/** Reports groups that do not exist and cycles; returns the names of groups that are used. */
export function checkGroups(
  spec: Spec,
  { report, steps }: Pick<FleetContext, 'report' | 'steps'>,
): ReadonlySet<string> {
  const names = Object.keys(spec.groups);
  const used = new Set<string>();
  if (names.length > mostGroups) {
    report('fleet-too-large', { limit: mostGroups, noun: 'groups' }, ['spec', 'groups'], { at: 'key' });
    return used;
  }
  for (const { path, settings } of holdersOf(spec)) {
    for (const [index, name] of (settings.extends ?? []).entries()) {
      used.add(name);
      if (Object.hasOwn(spec.groups, name)) continue;
      report('fleet-name-unknown', { noun: 'groups', name, names }, [...path, 'extends', index]);
    }
  }
  findCycles(spec.groups, (cycle) => {
    const [name = '', next = ''] = cycle;
    const path = ['spec', 'groups', name, 'extends', spec.groups[name]!.extends!.indexOf(next)];
    steps.take(cycle.length, path);
    report('fleet-group-cycle', { cycle }, path);
  });
  return used;
}

function holdersOf({ defaults, groups, clusters, applications, matrix, directories, targets }: Spec): readonly Level[] {
  const listed = (key: string, entries: readonly FleetSettings[]): readonly Level[] =>
    entries.map((settings, index) => ({ path: ['spec', key, index], settings }));
  return [
    { path: ['spec', 'defaults'], settings: defaults },
    ...levelsIn(groups, 'groups').values(),
    ...levelsIn(clusters, 'clusters').values(),
    ...levelsIn(applications, 'applications').values(),
    ...listed('matrix', matrix),
    ...matrix.flatMap(({ include }, index) =>
      include.map((settings, inner) => ({ path: ['spec', 'matrix', index, 'include', inner], settings })),
    ),
    ...listed('directories', directories),
    ...listed('targets', targets),
  ];
}

/** Each cycle once, from its first group in the file: `a → b → a`. */
function findCycles(groups: Spec['groups'], onCycle: (cycle: readonly string[]) => void): void {
  // The groups on the way to the current one, in order.
  const open = new Set<string>();
  const done = new Set<string>();

  function visit(name: string): void {
    open.add(name);
    for (const next of new Set(groups[name]!.extends)) {
      if (open.has(next)) onCycle([...[...open].slice([...open].indexOf(next)), next]);
      else if (!done.has(next) && Object.hasOwn(groups, next)) visit(next);
    }
    open.delete(name);
    done.add(name);
  }

  for (const name of Object.keys(groups)) if (!done.has(name)) visit(name);
}
