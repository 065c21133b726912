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
const groups: Readonly<Record<CommandGroup, Readonly<Record<string, Pick<CommandEntry, 'summary' | 'load'>>>>> = {
  build: {
    build: {
      summary: 'Build manifests from a package, chart, kustomization or files.',
      load: async () => (await import('./commands/build.ts')).build,
    },
    validate: {
      summary: 'Validate a build, or a profile, policy or package file.',
      load: async () => (await import('./commands/validate.ts')).validate,
    },
    fleet: {
      summary: 'Build, validate and compare everything in kurel.fleet.yaml.',
      load: async () => (await import('./commands/fleet.ts')).fleet,
    },
    patch: {
      summary: 'Apply patches to manifests, preserving comments and formatting.',
      load: async () => (await import('./commands/patch.ts')).patch,
    },
    krm: {
      summary: 'Run as a KRM function, for kustomize and kpt.',
      load: async () => (await import('./commands/krm.ts')).krm,
    },
    argocd: {
      summary: 'Run as a config management plugin of Argo CD.',
      load: async () => (await import('./commands/argocd.ts')).argocd,
    },
  },
  understand: {
    explain: {
      summary: 'Show where each field of an object comes from.',
      load: async () => (await import('./commands/explain.ts')).explain,
    },
    diff: {
      summary: 'Compare two builds: packages, values, profiles, git revisions.',
      load: async () => (await import('./commands/diff.ts')).diff,
    },
    images: {
      summary: 'List container images and what sets each of them.',
      load: async () => (await import('./commands/images.ts')).images,
    },
    info: {
      summary: 'Show a package: metadata, parameters, components, patches.',
      load: async () => (await import('./commands/info.ts')).info,
    },
    schema: {
      summary: 'Print the schema of a kind, component, field or values file.',
      load: async () => (await import('./commands/schema.ts')).schema,
    },
  },
  author: {
    init: {
      summary: 'Create a package that builds and validates.',
      load: async () => (await import('./commands/init.ts')).init,
    },
    patches: {
      summary: 'List the patches of a package and whether they are enabled.',
      load: async () => (await import('./commands/patches.ts')).patches,
    },
    fmt: {
      summary: 'Format .kpatch files.',
      load: async () => (await import('./commands/fmt.ts')).fmt,
    },
  },
  publish: {
    push: {
      summary: 'Push a package, or the manifests of a build, to a registry.',
      load: async () => (await import('./commands/push.ts')).push,
    },
    pull: {
      summary: 'Fetch a package from a registry into a directory.',
      load: async () => (await import('./commands/pull.ts')).pull,
    },
    update: {
      summary: 'Update the versions of packages in kurel.fleet.lock.',
      load: async () => (await import('./commands/update.ts')).update,
    },
    sign: {
      summary: 'Sign an artifact in a registry with a key.',
      load: async () => (await import('./commands/sign.ts')).sign,
    },
    attest: {
      summary: 'Attest how the manifests in a registry were built.',
      load: async () => (await import('./commands/attest.ts')).attest,
    },
    verify: {
      summary: 'Verify who signed an artifact in a registry, and what it was built from.',
      load: async () => (await import('./commands/verify.ts')).verify,
    },
    login: {
      summary: 'Log in to a registry.',
      load: async () => (await import('./commands/login.ts')).login,
    },
    logout: {
      summary: 'Log out of a registry.',
      load: async () => (await import('./commands/logout.ts')).logout,
    },
  },
  maintain: {
    vendor: {
      summary: "Vendor a package's remote sources, or the packages of a fleet.",
      load: async () => (await import('./commands/vendor.ts')).vendor,
    },
    completion: {
      summary: 'Print or install shell completion.',
      load: async () => (await import('./commands/completion.ts')).completion,
    },
    help: {
      summary: 'Show help for a command or explain a finding code.',
      load: async () => (await import('./commands/help.ts')).help,
    },
    version: {
      summary: 'Print the versions of kurel and its runtime.',
      load: async () => (await import('./commands/version.ts')).version,
    },
  },
};

export const commandTable: readonly CommandEntry[] = Object.entries(groups).flatMap(([group, commands]) =>
  Object.entries(commands).map(([name, { summary, load }]) => ({ name, group: group as CommandGroup, summary, load })),
);
