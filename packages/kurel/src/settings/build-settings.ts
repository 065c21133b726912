import type { SettingDefinition } from './setting-definition.ts';
import { settingTable } from './setting-table.ts';

export type SettingTable = typeof settingTable;

export type SettingName = keyof SettingTable;

/** The value of a setting: a switch is a boolean, a list has strings, and a text may be absent. */
export type SettingValue<Definition extends SettingDefinition> = Definition['type'] extends 'switch'
  ? boolean
  : Definition['type'] extends 'list'
    ? readonly string[]
    : (Definition extends { readonly choices: readonly (infer Choice)[] } ? Choice : string) | undefined;

export type SettingValues<Names extends SettingName> = {
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

/** The names of those settings that have a value. */
export function listSet<Name extends SettingName>(
  settings: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): readonly Name[] {
  return names.filter((name) => {
    const value = settings[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
}
