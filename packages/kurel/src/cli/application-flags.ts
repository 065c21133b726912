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
    summary: 'Application package: the ClusterProfile of the target cluster.',
  },
  'no-profile': {
    type: 'switch',
    section: 'application',
    summary: 'Application package: build without a profile. Traits that require one fail.',
  },
  policy: {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    section: 'validation',
    summary: 'Policy: limits and rules that everything must meet, and defaults for application packages.',
  },
  'capability-def': {
    type: 'list',
    placeholder: 'FILE',
    completes: 'path',
    section: 'application',
    summary: 'Application package: a CapabilityDefinition, in addition to those in definitions/ of the package.',
  },
  'flux-namespace': {
    type: 'text',
    placeholder: 'NAME',
    section: 'application',
    summary:
      'Application package: namespace of its Flux objects; overrides the profile. Defaults to the build namespace.',
  },
  offline: {
    type: 'switch',
    section: 'application',
    summary: 'Application package: use no network, only vendored sources.',
  },
  'registry-config': {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    section: 'input',
    summary: "Read the credentials for registries from FILE; defaults to docker's config.json.",
  },
  'allow-private': {
    type: 'switch',
    section: 'input',
    summary:
      'Also fetch packages and their sources from loopback and private addresses, and from registries of this machine over plain HTTP.',
  },
} as const satisfies FlagDefinitions;

export type ApplicationFlags = Partial<FlagValues<typeof applicationFlags>>;

/** The platform of an application, and how it may use the network. */
export function readApplicationFlags(flags: ApplicationFlags): ApplicationSettings {
  const { profile, 'no-profile': noProfile = false, 'capability-def': definitions = [] } = flags;
  const { 'flux-namespace': fluxNamespace, 'allow-private': plainHttp = false } = flags;
  if (profile !== undefined && noProfile) {
    throw new UsageError('--profile and --no-profile are mutually exclusive', 'remove one of them');
  }
  if (profile === '') throw new UsageError('--profile is empty', '--profile FILE');
  if (definitions.includes('')) throw new UsageError('--capability-def is empty', '--capability-def FILE');
  if (plainHttp && flags.offline === true) {
    throw new UsageError(
      '--allow-private and --offline are mutually exclusive',
      'remove one of them: --offline fetches nothing',
    );
  }
  const reason = fluxNamespace === undefined ? undefined : checkDnsLabel(fluxNamespace);
  if (reason !== undefined) {
    throw new UsageError(`--flux-namespace ${quote(fluxNamespace!)} is not a valid namespace: ${reason}`);
  }
  return {
    ...(noProfile ? { profile: false as const } : profile === undefined ? {} : { profile }),
    ...(definitions.length === 0 ? {} : { definitions }),
    ...(fluxNamespace === undefined ? {} : { fluxNamespace }),
    ...(plainHttp ? { plainHttp } : {}),
    ...(flags.offline === true ? { isOffline: true } : {}),
  };
}

/** The policy applies to every form. */
export function readPolicyFlag({ policy }: Pick<ApplicationFlags, 'policy'>): string | undefined {
  if (policy === '') throw new UsageError('--policy is empty', '--policy FILE');
  return policy;
}

/** Values of declared parameters. An assignment is a string until the type of its parameter is known. */
export function applicationLayers(given: readonly GivenValues[]): readonly ParameterLayer[] {
  return given.map((one) =>
    'path' in one
      ? { kind: 'set' as const, source: one.source, data: {}, isText: one.isText }
      : { kind: 'values' as const, source: one.source, data: one.data, at: one.at },
  );
}
