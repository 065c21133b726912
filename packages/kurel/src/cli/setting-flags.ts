import { completeSettings, listSet, settingNames, settingTable } from '../settings/index.ts';
import type { BuildSettings, SettingName, SettingTable } from '../settings/index.ts';
import { UsageError } from './usage-error.ts';

/** The flags of some settings, by the names of the flags. */
export type SettingFlags<Names extends SettingName> = {
  readonly [Name in Names as SettingTable[Name]['flag']]: SettingTable[Name];
};

export function settingFlags<const Names extends readonly SettingName[]>(...names: Names): SettingFlags<Names[number]> {
  return flagsForSettings<Names[number]>(names);
}

export function flagsForSettings<Name extends SettingName>(names: readonly Name[]): SettingFlags<Name> {
  const rows = names.map((name) => [settingTable[name].flag, settingTable[name]] as const);
  return Object.fromEntries(rows) as unknown as SettingFlags<Name>;
}

/** The settings that flags give. */
export function settingsOf(flags: object): BuildSettings {
  const values: Readonly<Record<string, unknown>> = { ...flags };
  const entries = settingNames.map((name) => [name, values[settingTable[name].flag]]);
  return completeSettings(Object.fromEntries(entries) as Partial<BuildSettings>);
}

/** The flags that give settings. */
export function flagsOf(settings: BuildSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(settingNames.map((name) => [settingTable[name].flag, settings[name]]));
}

export function refuseBoth<Name extends SettingName>(
  settings: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly [Name, Name],
  hint = 'remove one of them',
): void {
  if (listSet(settings, names).length < names.length) return;
  const [first, second] = names.map((name) => `--${settingTable[name].flag}`);
  throw new UsageError(`${first} and ${second} are mutually exclusive`, hint);
}
