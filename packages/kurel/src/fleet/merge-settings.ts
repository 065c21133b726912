import type { FleetSettings } from '../forms/index.ts';
import type { Path, Report } from '../model/index.ts';
import type { FleetTarget, InlineValues, SettingName, TargetAcceptance, TargetSettings } from './fleet.ts';
import type { Level } from './inherit.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';
import { fleetProblems } from './problems.ts';
import type { LocateEntry } from './report-once.ts';

export interface Merging {
  readonly target: string;
  readonly placeholders: PlaceholderValues;
  readonly report: Report;
  readonly locate: LocateEntry;
}

/** The settings of a target before its required ones are checked. */
export interface MergedSettings extends Omit<TargetSettings, 'package' | 'output'> {
  readonly package: string | undefined;
  readonly output: string | undefined;
  /** Values files that may be missing, by path. */
  readonly optional: ReadonlySet<string>;
}

/** Settings whose entries add up from level to level; all others are replaced. */
const lists = ['values', 'optionalValues', 'patches', 'enable', 'crds'] as const;
const paths = ['package', 'profile', 'policy', 'namespace', 'instance', 'output'] as const;

export interface SettingsMerge {
  /** Absent if a placeholder cannot be filled, which is reported. */
  readonly settings: MergedSettings | undefined;
  readonly origins: FleetTarget['origins'];
  /** The entry that each path comes from, such as `values clusters/berlin/values.yaml`. */
  readonly places: ReadonlyMap<string, Path>;
}

/** Combines levels, later ones override earlier ones, and fills the placeholders in paths and names. */
export function mergeSettings(levels: readonly Level[], given: Merging): SettingsMerge {
  let isFilled = true;
  const report: Report = (diagnostic) => {
    isFilled = false;
    given.report(diagnostic);
  };
  const merging = { ...given, report };
  const places = new Map<string, Path>();
  const origins: Partial<Record<SettingName, Path[]>> = {};
  const note = (name: SettingName, path: Path): void => void (origins[name] ??= []).push([...path, name]);
  const last = <Name extends keyof FleetSettings>(name: Name): FleetSettings[Name] | undefined =>
    levels.findLast(({ settings }) => settings[name] !== undefined)?.settings[name];
  for (const { path, settings } of levels) {
    for (const name of Object.keys(settings) as (keyof FleetSettings)[]) {
      if (name !== 'extends' && settings[name] !== undefined) note(name, path);
    }
  }
  const fill = (text: string, path: Path): string => fillIn(text, path, merging);
  const fillPath = (text: string, path: Path, name: string): string => {
    const filled = fill(text, path);
    places.set(`${name} ${filled}`, path);
    return filled;
  };
  const filled = Object.fromEntries(
    paths.flatMap((name) => {
      const level = levels.findLast(({ settings }) => settings[name] !== undefined);
      return level === undefined ? [] : [[name, fillPath(level.settings[name]!, [...level.path, name], name)]];
    }),
  ) as Readonly<Partial<Record<(typeof paths)[number], string>>>;
  const listOf = (name: (typeof lists)[number], { path, settings }: Level): readonly string[] =>
    (settings[name] ?? []).map((text, index) => fillPath(text, [...path, name, index], name));
  const all = (name: (typeof lists)[number]): readonly string[] => levels.flatMap((level) => listOf(name, level));
  const settings: MergedSettings = {
    ...filled,
    package: filled.package,
    output: filled.output,
    noProfile: last('noProfile'),
    // The files of one level come before those of the next.
    values: levels.flatMap((level) => [...listOf('values', level), ...listOf('optionalValues', level)]),
    optional: new Set(all('optionalValues')),
    set: levels.flatMap(inlineValues),
    patches: all('patches'),
    enable: all('enable'),
    layout: last('layout'),
    flux: fluxOf(levels, fill),
    kubernetesVersion: last('kubernetesVersion'),
    crds: all('crds'),
    strict: last('strict') ?? false,
    accept: levels.flatMap(acceptances),
  };
  return { settings: isFilled ? settings : undefined, origins, places };
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

/** The text with its placeholders filled; a problem is reported at the text. */
export function fillIn(text: string, path: Path, { target, placeholders, report, locate }: Merging): string {
  const { text: filled, problem } = fillPlaceholders(text, placeholders);
  if (problem === undefined) return filled;
  const place = { location: locate(path) };
  report(
    'unknown' in problem
      ? fleetProblems.create(
          'fleet-placeholder-unknown',
          { name: problem.unknown, target, known: Object.keys(placeholders) },
          place,
        )
      : fleetProblems.create('fleet-placeholder-syntax', { text, reason: problem.syntax }, place),
  );
  return filled;
}
