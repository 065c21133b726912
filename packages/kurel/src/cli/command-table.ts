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
    name: 'explain',
    summary: 'Say where each field of an object comes from: file, patch, parameter, flag.',
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
    name: 'info',
    summary: 'Show what a patch package is: metadata, parameters, resources and patches.',
    load: async () => (await import('./commands/info.ts')).info,
  },
  {
    name: 'init',
    summary: 'Write a new patch package that builds and validates at once.',
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
    summary: 'Show the schema of a kind or field offline, or generate that of the parameters of a package.',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'validate',
    summary: 'Check what a build gives against the schemas of Kubernetes and of CRDs, offline.',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'version',
    summary: 'Print the version of kurel and of the Node it runs on.',
    load: async () => (await import('./commands/version.ts')).version,
  },
];
