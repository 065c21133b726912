import type { Command } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** A command's code is loaded when it is called, so that start-up does not grow with the number of commands. */
  load(): Promise<ListedCommand>;
}

export type ListedCommand = Command & Pick<CommandEntry, 'summary'>;

export type CommandGroup = 'build' | 'understand' | 'author' | 'publish' | 'maintain';

/** In the order in which help lists them. */
const summaries: Readonly<Record<CommandGroup, Readonly<Partial<Record<CommandName, string>>>>> = {
  build: {
    build: 'Build manifests from a package, chart, kustomization or files.',
    validate: 'Validate a build, or a profile, policy or package file.',
    fleet: 'Build, validate and compare everything in kurel.fleet.yaml.',
    patch: 'Apply patches to manifests, preserving comments and formatting.',
    krm: 'Run as a KRM function, for kustomize and kpt.',
    argocd: 'Run as a config management plugin of Argo CD.',
  },
  understand: {
    explain: 'Show where each field of an object comes from.',
    diff: 'Compare two builds: packages, values, profiles, git revisions.',
    images: 'List container images and what sets each of them.',
    info: 'Show a package: metadata, parameters, components, patches.',
    schema: 'Print the schema of a kind, component, field or values file.',
  },
  author: {
    init: 'Create a package that builds and validates.',
    patches: 'List the patches of a package and whether they are enabled.',
    fmt: 'Format .kpatch files.',
  },
  publish: {
    push: 'Push a package, or the manifests of a build, to a registry.',
    pull: 'Fetch a package from a registry into a directory.',
    update: 'Update the versions of packages in kurel.fleet.lock.',
    sign: 'Sign an artifact in a registry with a key.',
    attest: 'Attest how the manifests in a registry were built.',
    verify: 'Verify who signed an artifact in a registry, and what it was built from.',
    login: 'Log in to a registry.',
    logout: 'Log out of a registry.',
  },
  maintain: {
    vendor: "Vendor a package's remote sources, or the packages of a fleet.",
    completion: 'Print or install shell completion.',
    help: 'Show help for a command or explain a finding code.',
    version: 'Print the versions of kurel and its runtime.',
  },
};

type CommandName = keyof typeof commands;

const commands = {
  build: async () => (await import('./commands/build.ts')).build,
  validate: async () => (await import('./commands/validate.ts')).validate,
  fleet: async () => (await import('./commands/fleet.ts')).fleet,
  patch: async () => (await import('./commands/patch.ts')).patch,
  krm: async () => (await import('./commands/krm.ts')).krm,
  argocd: async () => (await import('./commands/argocd.ts')).argocd,
  explain: async () => (await import('./commands/explain.ts')).explain,
  diff: async () => (await import('./commands/diff.ts')).diff,
  images: async () => (await import('./commands/images.ts')).images,
  info: async () => (await import('./commands/info.ts')).info,
  schema: async () => (await import('./commands/schema.ts')).schema,
  init: async () => (await import('./commands/init.ts')).init,
  patches: async () => (await import('./commands/patches.ts')).patches,
  fmt: async () => (await import('./commands/fmt.ts')).fmt,
  push: async () => (await import('./commands/push.ts')).push,
  pull: async () => (await import('./commands/pull.ts')).pull,
  update: async () => (await import('./commands/update.ts')).update,
  sign: async () => (await import('./commands/sign.ts')).sign,
  attest: async () => (await import('./commands/attest.ts')).attest,
  verify: async () => (await import('./commands/verify.ts')).verify,
  login: async () => (await import('./commands/login.ts')).login,
  logout: async () => (await import('./commands/logout.ts')).logout,
  vendor: async () => (await import('./commands/vendor.ts')).vendor,
  completion: async () => (await import('./commands/completion.ts')).completion,
  help: async () => (await import('./commands/help.ts')).help,
  version: async () => (await import('./commands/version.ts')).version,
} as const satisfies Readonly<Record<string, () => Promise<Command>>>;

export const commandTable: readonly CommandEntry[] = Object.entries(summaries).flatMap(([group, ofGroup]) =>
  Object.entries(ofGroup).map(([name, summary]) => ({
    name,
    group: group as CommandGroup,
    summary,
    load: async () => ({ ...(await commands[name as CommandName]()), summary }),
  })),
);
