import { settingNames } from '../documents/index.ts';
import type { FleetDocument, FleetSettings, SettingName } from '../documents/index.ts';
import type { Path } from '../model/index.ts';
import type { FleetContext, FleetTarget, InlineValues, TargetAcceptance, TargetSettings } from './fleet.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';

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

interface Merging extends Pick<FleetContext, 'report'> {
  readonly target: string;
  readonly placeholders: PlaceholderValues;
}

/** The settings of a target before its required ones are checked. */
export interface MergedSettings extends Omit<TargetSettings, 'package' | 'output'> {
  readonly package: string | undefined;
  readonly output: string | undefined;
  /** Of a package in a registry. */
  readonly version: string | undefined;
}

/** Settings whose entries add up from level to level; all others are replaced. */
const lists = ['values', 'optionalValues', 'patches', 'enable', 'crds'] as const;
const paths = ['package', 'profile', 'policy', 'namespace', 'instance', 'output', 'artifact'] as const;

type ListName = (typeof lists)[number];
type PathName = (typeof paths)[number];

export interface SettingsMerge {
  /** Absent if a placeholder cannot be filled, which is reported. */
  readonly settings: MergedSettings | undefined;
  /** Values files that may be missing. */
  readonly optional: readonly string[];
  readonly origins: FleetTarget['origins'];
  /** The entry that a path of a setting comes from. */
  readonly placeOf: (name: ListName | PathName, filled: string) => Path | undefined;
}

/** Combines levels, later ones override earlier ones, and fills the placeholders in paths and names. */
export function mergeSettings(
  levels: readonly Level[],
  { usualPackage, ...merging }: Merging & { readonly usualPackage?: string | undefined },
): SettingsMerge {
  let isFilled = true;
  const fill = ({ text, path }: Written): string => {
    if (!text.includes('{') && !text.includes('}')) return text;
    const filled = fillIn(text, path, merging);
    isFilled &&= filled !== undefined;
    return filled ?? text;
  };
  const prepared = levels.map(prepare);
  const origins: Partial<Record<SettingName, Path[]>> = {};
  for (const { entries } of prepared) for (const [name, path] of entries) (origins[name] ??= []).push(path);
  const last = <Name extends keyof FleetSettings>(name: Name): FleetSettings[Name] | undefined =>
    levels.findLast(({ settings }) => settings[name] !== undefined)?.settings[name];
  const single = (name: PathName): string | undefined => {
    const written = prepared.findLast(({ texts }) => texts[name] !== undefined)?.texts[name]?.[0];
    return written === undefined ? undefined : fill(written);
  };
  const all = (...names: readonly ListName[]): readonly string[] => {
    const filled: string[] = [];
    // The files of one level come before those of the next.
    for (const { texts } of prepared)
      for (const name of names) for (const text of texts[name] ?? []) filled.push(fill(text));
    return filled;
  };
  const settings: MergedSettings = {
    package: single('package') ?? usualPackage,
    version: last('version'),
    profile: single('profile'),
    policy: single('policy'),
    namespace: single('namespace'),
    instance: single('instance'),
    output: single('output'),
    artifact: single('artifact'),
    noProfile: last('noProfile'),
    contentHash: last('contentHash') ?? false,
    values: all('values', 'optionalValues'),
    set: prepared.flatMap((level) => level.set),
    patches: all('patches'),
    enable: all('enable'),
    layout: last('layout'),
    flux: fluxOf(levels, (text, path) => fill({ text, path })),
    kubernetesVersion: last('kubernetesVersion'),
    crds: all('crds'),
    strict: last('strict') ?? false,
    accept: prepared.flatMap((level) => level.accept),
  };
  const placeOf: SettingsMerge['placeOf'] = (name, filled) => {
    const written = prepared.flatMap(({ texts }) => texts[name] ?? []);
    return written.findLast((text) => fill(text) === filled)?.path;
  };
  return { settings: isFilled ? settings : undefined, optional: all('optionalValues'), origins, placeOf };
}

/** A path or name as it is written, and where. */
interface Written {
  readonly text: string;
  readonly path: Path;
}

/** What a level has, in the form in which its targets need it. */
interface PreparedLevel {
  readonly entries: readonly (readonly [name: SettingName, path: Path])[];
  readonly texts: Readonly<Partial<Record<ListName | PathName, readonly Written[]>>>;
  readonly set: readonly InlineValues[];
  readonly accept: readonly TargetAcceptance[];
}

// A cluster or an application is a level of a hundred targets.
const preparedLevels = new WeakMap<Level, PreparedLevel>();

function prepare(level: Level): PreparedLevel {
  const cached = preparedLevels.get(level);
  if (cached !== undefined) return cached;
  const { path, settings } = level;
  const { set = {}, accept = [] } = settings;
  const names = settingNames.filter((name) => settings[name] !== undefined);
  const texts: Partial<Record<ListName | PathName, readonly Written[]>> = {};
  for (const name of paths) {
    const text = settings[name];
    if (text !== undefined) texts[name] = [{ text, path: [...path, name] }];
  }
  for (const name of lists) {
    const list = settings[name];
    if (list !== undefined) texts[name] = list.map((text, index) => ({ text, path: [...path, name, index] }));
  }
  const prepared = {
    entries: names.map((name) => [name, [...path, name]] as const),
    texts,
    set: Object.keys(set).length === 0 ? [] : [{ path: [...path, 'set'], data: set }],
    accept: accept.map((acceptance, index) => Object.assign({}, acceptance, { path: [...path, 'accept', index] })),
  };
  preparedLevels.set(level, prepared);
  return prepared;
}

/** Each option is inherited by itself. */
function fluxOf(levels: readonly Level[], fill: (text: string, path: Path) => string): FleetSettings['flux'] {
  const options: Record<string, string> = {};
  for (const { path, settings } of levels) {
    for (const [name, text] of Object.entries(settings.flux ?? {})) options[name] = fill(text, [...path, 'flux', name]);
  }
  return Object.keys(options).length === 0 ? undefined : options;
}

/** The text with its placeholders filled; `undefined` if that is not possible, which is reported at the text. */
export function fillIn(text: string, path: Path, { target, placeholders, report }: Merging): string | undefined {
  const { text: filled, problem } = fillPlaceholders(text, placeholders);
  if (problem === undefined) return filled;
  if ('syntax' in problem) report('fleet-placeholder-syntax', { text, reason: problem.syntax }, path);
  else report('fleet-placeholder-unknown', { name: problem.unknown, target, names: Object.keys(placeholders) }, path);
  return undefined;
}
