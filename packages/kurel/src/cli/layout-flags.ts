import type { FlagDefinitions } from './command.ts';

/** For commands that write a directory which several builds can share. */
export const instanceFlag = {
  instance: {
    type: 'text',
    placeholder: 'NAME',
    section: 'output',
    summary:
      'Name of this build in an output directory shared by several builds, such as shop-staging. Defaults to the package name, or ' +
      'to the path of other input.',
  },
} as const satisfies FlagDefinitions;

/** Flags of `build` that decide which files it writes. */
export const layoutFlags = {
  ...instanceFlag,
  layout: {
    type: 'text',
    placeholder: 'LAYOUT',
    choices: ['stream', 'flat', 'phases', 'flux', 'argocd', 'by-kind', 'by-resource'],
    summary:
      'Files in the output directory: one directory per install phase (phases, the default for patch packages), with Flux (flux) ' +
      'or Argo CD (argocd) objects; one file per object (flat, the default otherwise; by-resource: grouped by kind); one ' +
      'file per kind (by-kind); or one file (stream).',
  },
  'sync-waves': {
    type: 'switch',
    section: 'layout',
    summary: 'Annotate objects with the Argo CD sync wave of their install phase.',
  },
  index: { type: 'switch', section: 'layout', summary: 'Layout flat: number the files in object order.' },
  'flux-namespace': {
    type: 'text',
    placeholder: 'NAME',
    section: 'layout',
    summary:
      'Namespace of Flux objects; defaults to flux-system (layout flux). For an application package, overrides the profile.',
  },
  'flux-interval': {
    type: 'text',
    placeholder: 'TIME',
    section: 'layout',
    summary: 'Layout flux: reconcile interval; defaults to 10m.',
  },
  'flux-path': {
    type: 'text',
    placeholder: 'PATH',
    section: 'layout',
    summary: 'Layout flux: path of the output directory in the source; defaults to the root.',
  },
  'flux-source': {
    type: 'text',
    placeholder: 'KIND/NAME',
    section: 'layout',
    summary:
      'Layout flux: the Flux source, such as OCIRepository/shop.apps; defaults to a GitRepository named after the package.',
  },
} as const satisfies FlagDefinitions;

export type LayoutFlags = typeof layoutFlags;
