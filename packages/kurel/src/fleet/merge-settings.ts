import type { FleetSettings } from '../forms/index.ts';
import type { Path } from '../model/index.ts';
import type {
  FleetContext,
  FleetTarget,
  InlineValues,
  SettingName,
  TargetAcceptance,
  TargetSettings,
} from './fleet.ts';
import type { Level } from './inherit.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';

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
  const names = (Object.keys(settings) as (keyof FleetSettings)[]).filter(
    (name): name is SettingName => name !== 'extends' && settings[name] !== undefined,
  );
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
    set: inlineValues(level),
    accept: acceptances(level),
  };
  preparedLevels.set(level, prepared);
  return prepared;
}

function inlineValues({ path, settings: { set } }: Level): readonly InlineValues[] {
  return set === undefined || Object.keys(set).length === 0 ? [] : [{ path: [...path, 'set'], data: set }];
}

function acceptances({ path, settings: { accept = [] } }: Level): readonly TargetAcceptance[] {
  return accept.map((acceptance, index) => ({ ...acceptance, path: [...path, 'accept', index] }));
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
