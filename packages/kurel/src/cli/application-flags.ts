import { quote } from '../diagnostics/index.ts';
import { checkDnsLabel } from '../index.ts';
import type { ApplicationSettings, ParameterLayer } from '../index.ts';
import type { FlagDefinitions, FlagValues } from './command.ts';
import type { GivenValues } from './value-flags.ts';
import { UsageError } from './usage-error.ts';

/** Flags of every command that builds application packages. */
export const applicationFlags = {
  profile: {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    section: 'application',
    summary: 'Application package: the ClusterProfile, which says how the platform does what traits ask for.',
  },
  'no-profile': {
    type: 'switch',
    section: 'application',
    summary: 'Application package: build without a profile; traits that need one fail.',
  },
  policy: {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    summary: 'The Policy: what nothing may exceed or do, and the defaults of application packages.',
  },
  'capability-def': {
    type: 'list',
    placeholder: 'FILE',
    completes: 'path',
    section: 'application',
    summary: 'Application package: a CapabilityDefinition, beside those in its definitions/ directory.',
  },
  'flux-namespace': {
    type: 'text',
    placeholder: 'NAME',
    section: 'application',
    summary:
      'Application package: where its Flux objects live, whatever the profile says; its own namespace if neither says it.',
  },
  offline: {
    type: 'switch',
    section: 'application',
    summary: 'Application package: use no network, only what kurel vendor has put into the package.',
  },
  'allow-private': {
    type: 'switch',
    section: 'application',
    summary:
      'Application package: fetch from loopback and private addresses too, of hosts that the package names, and from registries of this machine over plain HTTP.',
  },
} as const satisfies FlagDefinitions;

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
