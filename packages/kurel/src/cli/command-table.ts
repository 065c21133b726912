import type { Command } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** A command's code is loaded when it is called, so that start-up does not grow with the number of commands. */
  load(): Promise<Command>;
}

export type CommandGroup = 'build' | 'understand' | 'author' | 'publish' | 'maintain';

/** In the order in which help lists them. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'build',
    group: 'build',
    summary: 'Build manifests from a package, chart, kustomization or files.',
    load: async () => (await import('./commands/build.ts')).build,
  },
  {
    name: 'validate',
    group: 'build',
    summary: 'Validate a build, or a profile, policy or package file.',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'fleet',
    group: 'build',
    summary: 'Build, validate and compare everything in kurel.fleet.yaml.',
    load: async () => (await import('./commands/fleet.ts')).fleet,
  },
  {
    name: 'patch',
    group: 'build',
    summary: 'Apply patches to manifests, preserving comments and formatting.',
    load: async () => (await import('./commands/patch.ts')).patch,
  },
  {
    name: 'krm',
    group: 'build',
    summary: 'Run as a KRM function, for kustomize and kpt.',
    load: async () => (await import('./commands/krm.ts')).krm,
  },
  {
    name: 'argocd',
    group: 'build',
    summary: 'Run as a config management plugin of Argo CD.',
    load: async () => (await import('./commands/argocd.ts')).argocd,
  },
  {
    name: 'explain',
    group: 'understand',
    summary: 'Show where each field of an object comes from.',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'diff',
    group: 'understand',
    summary: 'Compare two builds: packages, values, profiles, git revisions.',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'images',
    group: 'understand',
    summary: 'List container images and what sets each of them.',
    load: async () => (await import('./commands/images.ts')).images,
  },
  {
    name: 'info',
    group: 'understand',
    summary: 'Show a package: metadata, parameters, components, patches.',
    load: async () => (await import('./commands/info.ts')).info,
  },
  {
    name: 'schema',
    group: 'understand',
    summary: 'Print the schema of a kind, component, field or values file.',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'init',
    group: 'author',
    summary: 'Create a package that builds and validates.',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'patches',
    group: 'author',
    summary: 'List the patches of a package and whether they are enabled.',
    load: async () => (await import('./commands/patches.ts')).patches,
  },
  {
    name: 'fmt',
    group: 'author',
    summary: 'Format .kpatch files.',
    load: async () => (await import('./commands/fmt.ts')).fmt,
  },
  {
    name: 'push',
    group: 'publish',
    summary: 'Push a package, or the manifests of a build, to a registry.',
    load: async () => (await import('./commands/push.ts')).push,
  },
  {
    name: 'pull',
    group: 'publish',
    summary: 'Fetch a package from a registry into a directory.',
    load: async () => (await import('./commands/pull.ts')).pull,
  },
  {
    name: 'update',
    group: 'publish',
    summary: 'Update the versions of packages in kurel.fleet.lock.',
    load: async () => (await import('./commands/update.ts')).update,
  },
  {
    name: 'sign',
    group: 'publish',
    summary: 'Sign an artifact in a registry with a key.',
    load: async () => (await import('./commands/sign.ts')).sign,
  },
  {
    name: 'attest',
    group: 'publish',
    summary: 'Attest how the manifests in a registry were built.',
    load: async () => (await import('./commands/attest.ts')).attest,
  },
  {
    name: 'verify',
    group: 'publish',
    summary: 'Verify who signed an artifact in a registry, and what it was built from.',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'login',
    group: 'publish',
    summary: 'Log in to a registry.',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    group: 'publish',
    summary: 'Log out of a registry.',
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'vendor',
    group: 'maintain',
    summary: "Vendor a package's remote sources, or the packages of a fleet.",
    load: async () => (await import('./commands/vendor.ts')).vendor,
  },
  {
    name: 'completion',
    group: 'maintain',
    summary: 'Print or install shell completion.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    name: 'help',
    group: 'maintain',
    summary: 'Show help for a command or explain a finding code.',
    load: async () => (await import('./commands/help.ts')).help,
  },
  {
    name: 'version',
    group: 'maintain',
    summary: 'Print the versions of kurel and its runtime.',
    load: async () => (await import('./commands/version.ts')).version,
  },
];
