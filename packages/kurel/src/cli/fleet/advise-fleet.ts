import type { FleetTarget, SettingName } from '../../fleet/index.ts';
import { quote } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';

/** Findings of a single command name its flags; those of a target name its settings in the fleet file. */
export function adviseFleet(diagnostic: Diagnostic, target: FleetTarget, file: string): Diagnostic {
  const { code, location } = diagnostic;
  const hint = ownHints.get(code) ?? diagnostic.hint;
  const path = location === undefined ? findSetting(diagnostic, target) : undefined;
  return {
    ...diagnostic,
    ...(hint === undefined ? {} : { hint: nameSettings(hint) }),
    ...(path === undefined ? {} : { location: { file, document: 0, path } }),
  };
}

/** Findings that mean something else in a fleet. */
const ownHints: ReadonlyMap<string, string> = new Map([
  // No other target writes there, so the files are most likely its own, from before its package was moved.
  [
    'output-owned-file',
    'if the package of the target was moved, delete its old files and build again; with "instance" in the fleet file, the owner does not depend on the path',
  ],
  ['source-unpinned', 'run kurel update to lock it'],
]);

/** Flags whose settings have other names. */
const names: Readonly<Record<string, string>> = {
  patch: 'patches',
  'no-profile': 'noProfile',
  'kubernetes-version': 'kubernetesVersion',
};

const flags =
  'profile|no-profile|policy|values|set|patch|enable|namespace|instance|layout|output|crds|kubernetes-version';

function nameSettings(hint: string): string {
  const nameOf = (flag: string): string => names[flag] ?? flag;
  return hint
    .replace(
      /^pass --set (\S+)=…, or set it in a values file passed with --values$/,
      'add "$1" to "set" in the fleet file, or to a values file of the target',
    )
    .replace('write one stream with --output FILE.yaml', 'use "layout: stream"')
    .replaceAll(new RegExp(`\\bpass ([^,;]*?) with --(${flags})\\b`, 'g'), (_, what: string, flag: string) => {
      return `name ${what} in "${nameOf(flag)}" of the fleet file`;
    })
    .replaceAll(new RegExp(`\\bpass --(${flags})\\b(?: [A-Z]+\\b)?`, 'g'), (_, flag: string) => {
      return `set "${nameOf(flag)}" in the fleet file`;
    })
    .replaceAll(new RegExp(`--(${flags})\\b(?: ([a-z]+)\\b| [A-Z]+\\b)?`, 'g'), (_, flag: string, value?: string) => {
      return value === undefined || value === 'or' || value === 'and'
        ? `"${nameOf(flag)}"${value === undefined ? '' : ` ${value}`}`
        : `"${nameOf(flag)}: ${value}"`;
    });
}

const quotedSettings: readonly SettingName[] = [
  'output',
  'kubernetesVersion',
  'layout',
  'instance',
  'namespace',
  'profile',
  'policy',
  'package',
];

/** Settings that a message is about without quoting them. */
function settingsMeant({ code, message }: Diagnostic): readonly SettingName[] {
  if (code === 'source-unpinned') return ['package'];
  if (code === 'input-takes-no-values') return ['set', 'values', 'optionalValues'];
  return code === 'input-setting-unused' && message.startsWith('the profile ') ? ['profile', 'noProfile'] : [];
}

/** The entry that a message is about, or that sets the value which it quotes. */
function findSetting(diagnostic: Diagnostic, { settings, origins }: FleetTarget) {
  const { message } = diagnostic;
  const meant = settingsMeant(diagnostic).find((name) => origins[name] !== undefined);
  if (meant !== undefined) return origins[meant]!.at(-1);
  const setting = quotedSettings.find((name) => {
    const value = settings[name as keyof typeof settings];
    return typeof value === 'string' && (message.includes(quote(value)) || message.includes(quote(`${value}/`)));
  });
  return setting === undefined ? undefined : origins[setting]?.at(-1);
}
