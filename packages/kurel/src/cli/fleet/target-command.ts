import type { Acceptance } from '../../index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { toSlashes } from '../../host/index.ts';
import type { SourceFile } from '../../model/index.ts';
import { mapPaths, settingNames, settingTable, wordsOfSettings } from '../../settings/index.ts';
import type { BuildSettings, SettingDefinition, SettingName } from '../../settings/index.ts';
import type { InlineInput } from '../open-world.ts';

type Configured = Pick<FleetTarget, 'settings'>;

/** Values and acceptances of a fleet file have no files: they are passed on as data. */
const inlineSettings: readonly SettingName[] = ['set', 'accept'];

/** The settings of a target or a KurelBuild, each from its key in the file. */
export function settingsOfTarget({ settings }: Configured): Partial<BuildSettings> {
  const entries = settingNames.flatMap((name) => {
    const { key }: SettingDefinition = settingTable[name];
    if (key === undefined || inlineSettings.includes(name)) return [];
    const value = valueAtKey(settings, key);
    return value === undefined ? [] : [[name, value]];
  });
  const own = Object.fromEntries(entries) as Partial<BuildSettings>;
  const { profile, noProfile, output, strict, contentHash } = settings;
  return mapPaths(
    {
      ...own,
      noProfile: noProfile === true && profile === undefined,
      strict,
      contentHash,
      output: output === '' ? undefined : withSlash(output),
    },
    toSlashes,
  );
}

function valueAtKey(settings: object, key: string): unknown {
  return key.split('.').reduce<unknown>((value, step) => {
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
  }, settings);
}

/** The order in which people write them; others follow. */
const usualOrder: readonly SettingName[] = [
  'profile',
  'noProfile',
  'policy',
  'values',
  'patches',
  'enable',
  'namespace',
  'fluxNamespace',
  'contentHash',
  'strict',
  'kubernetesVersion',
  'crds',
  'instance',
  'layout',
  'fluxInterval',
  'fluxPath',
  'fluxSource',
  'fluxDecryption',
];
const shownOrder = [...usualOrder, ...settingNames.filter((name) => !usualOrder.includes(name))];

/** `--output web.yaml` is a file; an output of a fleet is always a directory. */
function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** The single command for people, in the directory of the fleet file. */
export function showCommand(target: FleetTarget, directory = ''): string {
  const flags = wordsOfSettings(settingsOfTarget(target), shownOrder).flatMap((word) => {
    const equals = word.indexOf('=');
    return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
  });
  const command = ['kurel', 'build', target.settings.package, ...flags].map(quoteWord).join(' ');
  return directory === '' ? command : `(cd ${quoteWord(directory)} && ${command})`;
}

function quoteWord(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export interface SettingsFile {
  readonly source: SourceFile;
  /** Whether several builds have settings of it in common. */
  readonly isShared?: boolean | undefined;
}

/** What is written in the file of the settings itself. */
export function inlineOf({ settings }: Configured, { source, isShared }: SettingsFile): InlineInput {
  return {
    values: settings.set.map(({ path, data }) => ({ source, data, at: path })),
    acceptances: settings.accept.map(({ path, ...acceptance }): Acceptance => ({
      ...acceptance,
      location: { file: source.path, document: 0, path },
      ofUser: true,
      isShared,
    })),
  };
}

/** For keys: JSON has no integers of any size. */
export function writeBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
