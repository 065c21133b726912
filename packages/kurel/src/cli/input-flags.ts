import type { Acceptance } from '../index.ts';
import { inputSettingNames, limitSettingNames, settingTable } from '../settings/index.ts';
import { switchFlag, textFlag, withoutSection } from './command.ts';
import type { FlagDefinitions } from './command.ts';
import { applicationFlags } from './package-flags.ts';
import { flagsForSettings, settingFlags } from './setting-flags.ts';
import { UsageError } from './usage-error.ts';

/** Flags of the commands for patch packages only: parameters that override those of the package. */
export const valueFlags = {
  values: {
    ...settingTable.values,
    summary:
      'Values file: overrides the parameters of the package and its local extension. Later files win; - is stdin.',
  },
  set: { ...settingTable.set, summary: 'Set one parameter, such as image.tag=1.10. Overrides values files.' },
  'set-string': withoutSection({
    ...settingTable.setString,
    summary: 'Set one parameter as a string, even if it looks like a number or boolean.',
  }),
} as const satisfies FlagDefinitions;

/** Flags of every command that applies patches. */
export const patchFlags = settingFlags('patches', 'features');

/** Flags of every command that builds something: the input, and how its objects are selected and changed. */
export const inputFlags = {
  ...flagsForSettings(inputSettingNames),
  // Only a build has layouts.
  'flux-namespace': applicationFlags['flux-namespace'],
  ...flagsForSettings(limitSettingNames.filter((name) => name !== 'maxFleetSteps')),
} as const satisfies FlagDefinitions;

export type InputFlags = typeof inputFlags;

export const watchFlag = {
  watch: switchFlag('Run again whenever an input changes, until Ctrl-C.', { short: 'w' }),
} as const satisfies FlagDefinitions;

/** For commands whose output on stdout is not the findings. */
export const messageFormatFlag = {
  'message-format': textFlag('FORMAT', 'Format of findings on stderr: text (the default), json or sarif.', {
    choices: ['text', 'json', 'sarif'],
    section: 'output',
  }),
} as const satisfies FlagDefinitions;

/** `--accept CODE[=OBJECT]`; whether there is such a code and object is checked by the build. */
export function parseAcceptance(text: string): Acceptance {
  const [code = '', ...rest] = text.split('=');
  const object = rest.length === 0 ? undefined : rest.join('=');
  if (code === '' || object === '') {
    throw new UsageError(
      `--accept ${JSON.stringify(text)} is incomplete`,
      'use --accept CODE or --accept CODE=OBJECT, such as --accept namespace-missing=deployment/web',
    );
  }
  return { code, object, reason: 'accepted with --accept' };
}

/** Flags of the commands that validate: the schema for parameters. */
export const validationFlags = settingFlags('schema', 'noCache');

/** For commands that write a directory which several builds can share. */
export const instanceFlag = settingFlags('instance');

/** Flags of `build` that decide which files it writes. */
export const layoutFlags = {
  ...instanceFlag,
  ...settingFlags('layout', 'syncWaves', 'index', 'fluxNamespace'),
  ...settingFlags('fluxInterval', 'fluxPath', 'fluxSource', 'fluxDecryption'),
} as const satisfies FlagDefinitions;
