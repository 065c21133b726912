import { getOrAdd } from '../budget/index.ts';
import { fleetSettingNames } from '../documents/index.ts';
import type { FleetSettings, FleetSettingName } from '../documents/index.ts';
import { isJsonArray } from '../model/index.ts';
import type { Json, Path } from '../model/index.ts';
import { settingNames, settingTable } from '../settings/index.ts';
import type { SettingDefinition } from '../settings/index.ts';
import type { FleetContext, FleetTarget, InlineValues, TargetAcceptance, TargetSettings } from './fleet.ts';
import { charactersPerStep } from './fleet-steps.ts';
import type { Level } from './inherit-levels.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';

interface Merging extends Pick<FleetContext, 'report' | 'steps'> {
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

const rows = settingNames.map((name): SettingDefinition => settingTable[name]);

/** The keys of settings with such values. Values and acceptances are data, and options of an object are inherited one by one. */
function keysOf(isOfKind: (row: SettingDefinition) => boolean): readonly FleetSettingName[] {
  const keys = rows.filter(isOfKind).flatMap(({ key }) => key ?? []);
  return keys.filter((key) => key !== 'set' && key !== 'accept' && !key.includes('.')) as readonly FleetSettingName[];
}

const isPlain = ({ type, choices, isScalar }: SettingDefinition): boolean =>
  type === 'switch' || choices !== undefined || isScalar === true;

/** Settings whose entries add up from level to level; all others are replaced. */
const lists = ['optionalValues', ...keysOf(({ type }) => type === 'list')] as readonly ListName[];
/** Texts with placeholders. */
const paths = ['package', 'artifact', ...keysOf((row) => row.type === 'text' && !isPlain(row))] as readonly PathName[];
/** Settings without placeholders. */
const plainNames = ['version', ...keysOf(isPlain)] as readonly PlainName[];

type NamesOf<Value> = {
  readonly [Name in FleetSettingName]: NonNullable<FleetSettings[Name]> extends Value ? Name : never;
}[FleetSettingName];

type ListName = Exclude<NamesOf<readonly string[]>, 'accept'>;
type PlainName = NamesOf<boolean> | 'version' | 'layout' | 'kubernetesVersion';
type PathName = Exclude<NamesOf<string>, PlainName>;

export interface SettingsMerge {
  /** Absent if a placeholder cannot be filled, which is reported. */
  readonly settings: MergedSettings | undefined;
  /** Values files that may be missing. */
  readonly optional: ReadonlySet<string>;
  readonly origins: FleetTarget['origins'];
  /** The entry that a path of a setting comes from. */
  readonly placeOf: (name: ListName | PathName, filled: string) => Path | undefined;
}

/** Combines levels, later ones override earlier ones, and fills the placeholders in paths and names. Each level is visited once. */
export function mergeSettings(
  levels: readonly Level[],
  { usualPackage, ...merging }: Merging & { readonly usualPackage?: string | undefined },
): SettingsMerge {
  const { steps } = merging;
  let isFilled = true;
  const fill = ({ text, path }: Written): string => {
    if (!text.includes('{') && !text.includes('}')) return text;
    const filled = fillIn(text, path, merging);
    isFilled &&= filled !== undefined;
    return filled ?? text;
  };
  const origins: Partial<Record<FleetSettingName, Path[]>> = {};
  const written: Partial<Record<PathName, Written>> = {};
  const plain: Partial<PlainSettings> = {};
  const [set, accept]: [InlineValues[], TargetAcceptance[]] = [[], []];
  const prepared = levels.map(prepare);
  for (const level of prepared) {
    steps.take(level.size, level.path);
    for (const [name, path] of level.entries) (origins[name] ??= []).push(path);
    Object.assign(written, level.paths);
    Object.assign(plain, level.plain);
    for (const values of level.set) set.push(values);
    for (const acceptance of level.accept) accept.push(acceptance);
  }
  const single = (name: PathName): string | undefined => {
    const text = written[name];
    return text === undefined ? undefined : fill(text);
  };
  const all = (...names: readonly ListName[]): readonly string[] => {
    const filled: string[] = [];
    // The files of one level come before those of the next.
    for (const level of prepared)
      for (const name of names) for (const text of level.lists[name] ?? []) filled.push(fill(text));
    return filled;
  };
  const own: MergedSettings = {
    package: single('package') ?? usualPackage,
    version: plain.version,
    profile: single('profile'),
    policy: single('policy'),
    namespace: single('namespace'),
    instance: single('instance'),
    output: single('output'),
    artifact: single('artifact'),
    noProfile: plain.noProfile,
    contentHash: plain.contentHash ?? false,
    values: all('values', 'optionalValues'),
    set,
    patches: all('patches'),
    enable: all('enable'),
    layout: plain.layout,
    flux: fluxOf(levels, (text, path) => fill({ text, path })),
    kubernetesVersion: plain.kubernetesVersion,
    crds: all('crds'),
    strict: plain.strict ?? false,
    accept,
  };
  const others = Object.fromEntries([
    ...paths.filter((name) => !(name in own)).map((name) => [name, single(name)] as const),
    ...lists.filter((name) => !(name in own) && name !== 'optionalValues').map((name) => [name, all(name)] as const),
    ...plainNames.filter((name) => !(name in own)).map((name) => [name, plain[name]] as const),
  ]);
  const settings: MergedSettings = { ...own, ...others };
  const places = new Map<ListName | PathName, ReadonlyMap<string, Path>>();
  const placesOf = (name: ListName | PathName): ReadonlyMap<string, Path> => {
    const pathOf = new Map<string, Path>();
    for (const {
      path,
      lists: { [name as ListName]: listed = [] },
      paths: { [name as PathName]: replaced },
    } of prepared) {
      const texts = replaced === undefined ? listed : [replaced];
      steps.take(texts.length, path);
      for (const text of texts) pathOf.set(fill(text), text.path);
    }
    return pathOf;
  };
  const placeOf: SettingsMerge['placeOf'] = (name, filled) => getOrAdd(places, name, () => placesOf(name)).get(filled);
  return {
    settings: isFilled ? settings : undefined,
    optional: new Set(all('optionalValues')),
    origins,
    placeOf,
  };
}

/** A path or name as it is written, and where. */
interface Written {
  readonly text: string;
  readonly path: Path;
}

type PlainSettings = Pick<FleetSettings, PlainName>;

/** What a level has, in the form in which its targets need it. */
interface PreparedLevel {
  readonly path: Path;
  /** The steps that it takes to inherit it. */
  readonly size: number;
  readonly entries: readonly (readonly [name: FleetSettingName, path: Path])[];
  readonly paths: Readonly<Partial<Record<PathName, Written>>>;
  readonly lists: Readonly<Partial<Record<ListName, readonly Written[]>>>;
  readonly plain: Partial<PlainSettings>;
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
  const written: Partial<Record<PathName, Written>> = {};
  for (const name of paths) {
    const text = settings[name];
    if (text !== undefined) written[name] = { text, path: [...path, name] };
  }
  const listed: Partial<Record<ListName, readonly Written[]>> = {};
  for (const name of lists) {
    const list = settings[name];
    if (list !== undefined) listed[name] = list.map((text, index) => ({ text, path: [...path, name, index] }));
  }
  const names = fleetSettingNames.filter((name) => settings[name] !== undefined);
  const prepared: PreparedLevel = {
    path,
    size: names.reduce((steps, name) => steps + measure(settings[name] as Json), 0),
    entries: names.map((name) => [name, [...path, name]] as const),
    paths: written,
    lists: listed,
    plain: Object.fromEntries(
      plainNames.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]),
    ),
    set: Object.keys(set).length === 0 ? [] : [{ path: [...path, 'set'], data: set }],
    accept: accept.map((acceptance, index) => Object.assign({}, acceptance, { path: [...path, 'accept', index] })),
  };
  preparedLevels.set(level, prepared);
  return prepared;
}

/** The steps that it takes to copy and print a value. */
function measure(value: Json | undefined): number {
  if (typeof value === 'string') return 1 + value.length / charactersPerStep;
  if (typeof value !== 'object' || value === null) return 1;
  let steps = 1;
  if (isJsonArray(value)) for (const item of value) steps += measure(item);
  else for (const [key, inner] of Object.entries(value)) steps += measure(key) + measure(inner);
  return steps;
}

/** Each option is inherited by itself. */
function fluxOf(levels: readonly Level[], fill: (text: string, path: Path) => string): FleetSettings['flux'] {
  const options: Record<string, string> = {};
  for (const { path, settings } of levels) {
    for (const [name, text] of Object.entries(settings.flux ?? {})) options[name] = fill(text, [...path, 'flux', name]);
  }
  return Object.keys(options).length === 0 ? undefined : options;
}

/** Each part takes time, even if it is empty. */
const charactersPerPart = 16;

/** The text with its placeholders filled; `undefined` if that is not possible, which is reported at the text. */
export function fillIn(text: string, path: Path, { target, placeholders, report, steps }: Merging): string | undefined {
  const { text: filled, problem } = fillPlaceholders(text, placeholders, (length) =>
    steps.takeText(charactersPerPart + length, path),
  );
  if (problem === undefined) return filled;
  if ('syntax' in problem) report('fleet-placeholder-syntax', { text, reason: problem.syntax }, path);
  else report('fleet-placeholder-unknown', { name: problem.unknown, target, names: Object.keys(placeholders) }, path);
  return undefined;
}
