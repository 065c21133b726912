import type { FlagDefinitions } from './command.ts';

/** The flag of commands that write a directory which several builds can share. */
export const instanceFlag = {
  instance: {
    type: 'text',
    placeholder: 'NAME',
    summary:
      'Name of this build in an output directory that several builds share, such as shop-staging. Defaults to the name of the ' +
      'package, or to the path of other input.',
  },
} as const satisfies FlagDefinitions;

/** Flags of build that say which files it makes. */
export const layoutFlags = {
  ...instanceFlag,
  layout: {
    type: 'text',
    placeholder: 'LAYOUT',
    choices: ['stream', 'flat', 'phases', 'flux', 'argocd', 'by-kind', 'by-resource'],
    summary:
      'Files in an output directory: a directory for each install phase (phases, the default for a patch package), that with Flux ' +
      'objects (flux) or for Argo CD (argocd), one object a file (flat, the default for everything else; by-resource has ' +
      'directories for kinds), one kind a file (by-kind), or all in one (stream).',
  },
  'sync-waves': { type: 'switch', summary: 'Give objects the sync wave of their install phase, for Argo CD.' },
  index: { type: 'switch', section: 'layout', summary: 'Layout flat: number the files in the order of the objects.' },
  'flux-namespace': {
    type: 'text',
    placeholder: 'NAME',
    section: 'layout',
    summary:
      'Layout flux: where the Flux objects live; defaults to flux-system. Application package: where its own Flux objects live, whatever the profile says.',
  },
  'flux-interval': {
    type: 'text',
    placeholder: 'TIME',
    section: 'layout',
    summary: 'Layout flux: how often Flux looks for changes; defaults to 10m.',
  },
  'flux-path': {
    type: 'text',
    placeholder: 'PATH',
    section: 'layout',
    summary: 'Layout flux: where the output lies in what Flux reads; defaults to its root.',
  },
  'flux-source': {
    type: 'text',
    placeholder: 'KIND/NAME',
    section: 'layout',
    summary:
      'Layout flux: what Flux reads, as in OCIRepository/shop.apps; defaults to a GitRepository named as the package.',
  },
} as const satisfies FlagDefinitions;

export type LayoutFlags = typeof layoutFlags;
