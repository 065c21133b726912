import type { FlagDefinitions } from './command.ts';

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
