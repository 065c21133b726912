import type { SettingDefinition } from './setting-definition.ts';

/** What becomes of the objects. */
export const outputSettings = {
  order: {
    type: 'text',
    flag: 'order',
    placeholder: 'ORDER',
    choices: ['source', 'apply'],
    section: 'output',
    summary:
      'Order of the objects: source or apply order. Defaults to apply for patch packages on stdout, otherwise source.',
  },
  output: {
    type: 'text',
    flag: 'output',
    short: 'o',
    placeholder: 'FILE|DIR',
    completes: 'path',
    summary: 'Write to a file (.yaml, .yml, .json) or a directory; defaults to stdout.',
    key: 'output',
    description: 'Output directory. Each target has its own.',
  },
  schema: {
    type: 'text',
    flag: 'schema',
    placeholder: 'FILE',
    completes: 'path',
    section: 'package',
    summary: 'Patch package: validate parameters against this JSON Schema instead of the generated one.',
  },
  noCache: {
    type: 'switch',
    flag: 'no-cache',
    section: 'package',
    summary: 'Patch package: regenerate the parameter schema, even if it was cached in the last hour.',
  },
  noValidate: {
    type: 'switch',
    flag: 'no-validate',
    section: 'validation',
    summary: 'Write the manifests without validating them.',
  },
  instance: {
    type: 'text',
    flag: 'instance',
    placeholder: 'NAME',
    section: 'output',
    summary:
      'Name of this build in an output directory shared by several builds, such as shop-staging. Defaults to the package name, or to the path of other input.',
    key: 'instance',
    description: 'Owner of the files in the output directory. Defaults to the package name.',
  },
  layout: {
    type: 'text',
    flag: 'layout',
    placeholder: 'LAYOUT',
    choices: ['stream', 'flat', 'phases', 'flux', 'argocd', 'by-kind', 'by-resource'],
    summary:
      'Files in the output directory: one directory per install phase (phases, the default for patch packages), with Flux (flux) or Argo CD (argocd) objects; one file per object (flat, the default otherwise; by-resource: grouped by kind); one file per kind (by-kind); or one file (stream).',
    key: 'layout',
    description: 'Layout of the output directory.',
  },
  syncWaves: {
    type: 'switch',
    flag: 'sync-waves',
    section: 'layout',
    summary: 'Annotate objects with the Argo CD sync wave of their install phase.',
  },
  index: {
    type: 'switch',
    flag: 'index',
    section: 'layout',
    summary: 'Layout flat: number the files in object order.',
  },
  fluxInterval: {
    type: 'text',
    flag: 'flux-interval',
    placeholder: 'TIME',
    section: 'layout',
    summary: 'Layout flux: reconcile interval; defaults to 10m.',
    key: 'flux.interval',
    description: 'Reconcile interval. Defaults to 10m.',
  },
  fluxPath: {
    type: 'text',
    flag: 'flux-path',
    placeholder: 'PATH',
    section: 'layout',
    summary: 'Layout flux: path of the output directory in the source; defaults to the root.',
    key: 'flux.path',
    description:
      'Path of the output directory in the source. Defaults to its path in the git repository, or to the root of an artifact.',
  },
  fluxSource: {
    type: 'text',
    flag: 'flux-source',
    placeholder: 'KIND/NAME',
    section: 'layout',
    summary:
      'Layout flux: the Flux source, such as OCIRepository/shop.apps; defaults to a GitRepository named after the package.',
    key: 'flux.source',
    description: 'Flux source, such as OCIRepository/shop.apps. Required.',
  },
  fluxDecryption: {
    type: 'text',
    flag: 'flux-decryption',
    placeholder: 'sops/SECRET',
    section: 'layout',
    summary: 'Layout flux: decrypt with SOPS and the keys in this Secret; sops alone for keys of the controller.',
    key: 'flux.decryption',
    description: 'How Flux decrypts: sops/SECRET with the Secret of the keys, or sops if the controller has them.',
  },
  format: {
    type: 'text',
    flag: 'format',
    placeholder: 'FORMAT',
    choices: ['yaml', 'json'],
    section: 'output',
    summary: 'Format of the manifests: yaml (the default) or json.',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;
