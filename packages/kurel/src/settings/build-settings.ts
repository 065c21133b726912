import { inputSettings } from './input-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { outputSettings } from './output-settings.ts';
import type { SettingDefinition, SettingValue } from './setting-definition.ts';

/**
 * Every setting of a build. Flags, completion, the keys of fleet files and of KurelBuild, the variables of the Argo CD plugin and
 * attestations come from these rows.
 */
export const settingTable = { ...inputSettings, ...limitSettings, ...outputSettings } as const;

export type SettingTable = typeof settingTable;

function namesOf<Name extends SettingName>(rows: Readonly<Record<Name, SettingDefinition>>): readonly Name[] {
  return Object.keys(rows) as Name[];
}

/** What is built, and how its objects are selected, changed and validated. */
export const inputSettingNames = namesOf(inputSettings);

export const limitSettingNames = namesOf(limitSettings);

export type SettingName = keyof SettingTable;

/** Options of single commands that findings name, as they do settings. A caller without the command can only read about them. */
export const commandOptions = {
  fleet: { flag: 'fleet' },
  force: { flag: 'force' },
  keep: { flag: 'keep' },
  passwordStdin: { flag: 'password-stdin' },
  since: { flag: 'since' },
  source: { flag: 'source' },
  watch: { flag: 'watch' },
} as const;

export type CommandOption = keyof typeof commandOptions;

type SettingValues<Names extends SettingName> = {
  readonly [Name in Names]: SettingValue<SettingTable[Name]>;
};

/** What a build is made from. Plain data: it can be sent to another process, hashed, cached and signed. */
export type BuildSettings = SettingValues<SettingName>;

export const settingNames = Object.keys(settingTable) as readonly SettingName[];

const defaults = { switch: false, list: [], text: undefined } as const;

/** Settings with the defaults of those that are not set. */
export function completeSettings(settings: Partial<BuildSettings>): BuildSettings {
  const values: Readonly<Record<string, unknown>> = settings;
  const entries = settingNames.map((name) => [name, values[name] ?? defaults[settingTable[name].type]]);
  return Object.fromEntries(entries) as BuildSettings;
}

/** Settings as words of a command line, where words are signed or shown. Those without a value are left out. */
export function wordsOfSettings(
  settings: Partial<BuildSettings>,
  names: readonly SettingName[] = settingNames,
): readonly string[] {
  return names.flatMap((name) => {
    const { flag } = settingTable[name];
    const value = settings[name];
    if (value === true) return [`--${flag}`];
    const values: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
    return values.map((text) => `--${flag}=${String(text)}`);
  });
}

/** The settings with each path changed. */
export function mapPaths<Settings extends Partial<BuildSettings>>(
  settings: Settings,
  change: (path: string) => string,
): Settings {
  const entries = Object.entries(settings).map(([name, value]) => {
    const { completes }: SettingDefinition = settingTable[name as SettingName];
    if (completes !== 'path') return [name, value];
    if (typeof value === 'string') return [name, change(value)];
    return [name, Array.isArray(value) ? value.map((path) => change(String(path))) : value];
  });
  return Object.fromEntries(entries) as Settings;
}
