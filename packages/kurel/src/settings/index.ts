// takes:   nothing
// gives:   the table of all settings of a build, and their values as plain data
// refuses: to know who asks: a finding names a setting, and the caller spells it
export { completeSettings, listSet, settingNames } from './build-settings.ts';
export type { BuildSettings, SettingName, SettingTable, SettingValue, SettingValues } from './build-settings.ts';
export type { CompletionSource, SettingDefinition, SettingSection } from './setting-definition.ts';
export { settingTable } from './setting-table.ts';
