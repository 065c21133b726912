import { quote } from '../diagnostics/index.ts';
import { checkDnsLabel } from '../index.ts';
import type { ApplicationSettings, ParameterLayer } from '../index.ts';
import type { applicationFlags } from './application-flags.ts';
import type { FlagValues } from './command.ts';
import type { GivenValues } from './read-value-flags.ts';
import { UsageError } from './usage-error.ts';

export type ApplicationFlags = Partial<FlagValues<typeof applicationFlags>>;

/** What the flags say about the platform of an application, and about what it takes from elsewhere. */
export function readApplicationFlags(flags: ApplicationFlags): ApplicationSettings {
  const { profile, 'no-profile': noProfile = false, 'capability-def': definitions = [] } = flags;
  const { 'flux-namespace': fluxNamespace, 'allow-private': plainHttp = false } = flags;
  if (profile !== undefined && noProfile) {
    throw new UsageError('--profile and --no-profile cannot be combined', 'choose one of them');
  }
  if (profile === '') throw new UsageError('--profile is empty', '--profile FILE');
  if (definitions.includes('')) throw new UsageError('--capability-def is empty', '--capability-def FILE');
  if (plainHttp && flags.offline === true) {
    throw new UsageError('--allow-private and --offline cannot be combined', 'with --offline nothing is asked');
  }
  const reason = fluxNamespace === undefined ? undefined : checkDnsLabel(fluxNamespace);
  if (reason !== undefined) {
    throw new UsageError(`--flux-namespace ${quote(fluxNamespace!)} cannot be a namespace: ${reason}`);
  }
  return {
    ...(noProfile ? { profile: false as const } : profile === undefined ? {} : { profile }),
    ...(definitions.length === 0 ? {} : { definitions }),
    ...(fluxNamespace === undefined ? {} : { fluxNamespace }),
    ...(plainHttp ? { plainHttp } : {}),
    ...(flags.offline === true ? { isOffline: true } : {}),
  };
}

/** The file of the policy, which is for whatever is built. */
export function readPolicyFlag({ policy }: Pick<ApplicationFlags, 'policy'>): string | undefined {
  if (policy === '') throw new UsageError('--policy is empty', '--policy FILE');
  return policy;
}

/** Values of declared parameters. What an assignment says is a text; its parameter decides what that means. */
export function applicationLayers(given: readonly GivenValues[]): readonly ParameterLayer[] {
  return given.map((one) =>
    'path' in one
      ? { kind: 'set' as const, source: one.source, data: {} }
      : { kind: 'values' as const, source: one.source, data: one.data },
  );
}
