// takes:   nothing
// gives:   the table of all settings of a build, and their values as plain data
// refuses: to know who asks: a finding names a setting, and the caller spells it
export {
  commandOptions,
  completeSettings,
  inputSettingNames,
  limitSettingNames,
  mapPaths,
  settingNames,
  settingTable,
  wordsOfSettings,
} from './build-settings.ts';
export type { BuildSettings, CommandOption, SettingName, SettingTable } from './build-settings.ts';
export { listSet } from './setting-definition.ts';
export type { CompletionSource, SettingDefinition, SettingValue } from './setting-definition.ts';
