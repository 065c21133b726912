import type { Command } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** A command's code is loaded when it is called, so that start-up does not grow with the number of commands. */
  load(): Promise<Command>;
}

export const commandTable: readonly CommandEntry[] = [
  {
    name: 'build',
    summary: 'Build manifests from a package, a chart, a kustomization or plain files.',
    load: async () => (await import('./commands/build.ts')).build,
  },
  {
    name: 'completion',
    summary: 'Print the completion script for a shell.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    name: 'diff',
    summary:
      'Compare what is built of two packages, values, profiles or revisions, object by object and field by field.',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'explain',
    summary: 'Say where each field of an object comes from: file, patch, parameter, profile, flag.',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'fmt',
    summary: 'Format .kpatch files.',
    load: async () => (await import('./commands/fmt.ts')).fmt,
  },
  {
    name: 'help',
    summary: 'Show help for kurel or for one command.',
    load: async () => (await import('./commands/help.ts')).help,
  },
  {
    name: 'images',
    summary: 'List the container images of what is built, and what changes each of them.',
    load: async () => (await import('./commands/images.ts')).images,
  },
  {
    name: 'info',
    summary: 'Show what a package is: metadata, parameters, resources or components, and patches.',
    load: async () => (await import('./commands/info.ts')).info,
  },
  {
    name: 'init',
    summary: 'Write a new package that builds and validates at once.',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'patch',
    summary: 'Patch manifests and keep their comments and formatting.',
    load: async () => (await import('./commands/patch.ts')).patch,
  },
  {
    name: 'patches',
    summary: 'List the patches of a patch package, and which of them the parameters enable.',
    load: async () => (await import('./commands/patches.ts')).patches,
  },
  {
    name: 'schema',
    summary:
      'Print the schema of a kind, a component or a field, of the values of a package, or of a document, offline.',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'validate',
    summary:
      'Check what a build gives against the schemas of Kubernetes and of CRDs, or a profile or a policy by itself.',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'vendor',
    summary: 'Put what an application package takes from elsewhere into it, and lock it.',
    load: async () => (await import('./commands/vendor.ts')).vendor,
  },
  {
    name: 'version',
    summary: 'Print the version of kurel and of the Node it runs on.',
    load: async () => (await import('./commands/version.ts')).version,
  },
];
