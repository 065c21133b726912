import type { FleetDocument, FleetSettings } from '../forms/index.ts';
import type { Path } from '../model/index.ts';
import type { FleetContext } from './fleet.ts';

/** One place in the fleet file that has settings. */
export interface Level {
  readonly path: Path;
  readonly settings: FleetSettings;
}

interface Heir {
  readonly application?: string | undefined;
  readonly cluster?: string | undefined;
  readonly entries: readonly Level[];
}

type Spec = FleetDocument['spec'];

/**
 * Finds all levels that a target inherits from, later ones override earlier ones: defaults, cluster, application, then the entries that
 * create the target. Each comes after the groups that it extends. A group counts once, at its first place.
 */
export function createInheritance({
  defaults,
  groups,
  clusters,
  applications,
}: Spec): (heir: Heir) => readonly Level[] {
  const chains = new Map<Level, readonly Level[]>();
  const groupLevels = levelsIn(groups, 'groups');
  const clusterLevels = levelsIn(clusters, 'clusters');
  const applicationLevels = levelsIn(applications, 'applications');
  const first: Level = { path: ['spec', 'defaults'], settings: defaults };

  /** The level after its groups; `open` guards against cycles, which are reported elsewhere. */
  function chainOf(level: Level, open: ReadonlySet<Level> = new Set()): readonly Level[] {
    const cached = chains.get(level);
    if (cached !== undefined) return cached;
    if (open.has(level)) return [];
    const inner = new Set([...open, level]);
    const extended = (level.settings.extends ?? []).flatMap((name) => {
      const group = groupLevels.get(name);
      return group === undefined ? [] : chainOf(group, inner);
    });
    const chain = [...new Set([...extended, level])];
    if (open.size === 0) chains.set(level, chain);
    return chain;
  }

  return ({ application, cluster, entries }) => {
    const named = [clusterLevels.get(cluster ?? ''), applicationLevels.get(application ?? '')];
    const all = [first, ...named, ...entries].flatMap((level) => (level === undefined ? [] : chainOf(level)));
    return [...new Set(all)];
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
export function checkGroups(spec: Spec, { report }: Pick<FleetContext, 'report'>): ReadonlySet<string> {
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
  for (const cycle of findCycles(spec.groups)) {
    const [name = '', next = ''] = cycle;
    const index = spec.groups[name]!.extends!.indexOf(next);
    report('fleet-group-cycle', { cycle }, ['spec', 'groups', name, 'extends', index]);
  }
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
function findCycles(groups: Spec['groups']): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const done = new Set<string>();

  function visit(name: string, open: readonly string[]): void {
    const start = open.indexOf(name);
    if (start !== -1) cycles.push([...open.slice(start), name]);
    if (start !== -1 || done.has(name) || !Object.hasOwn(groups, name)) return;
    for (const next of groups[name]!.extends ?? []) visit(next, [...open, name]);
    done.add(name);
  }

  for (const name of Object.keys(groups)) visit(name, []);
  return cycles;
}
