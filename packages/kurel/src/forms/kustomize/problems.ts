import { defineProblems, quote } from '../../diagnostics/index.ts';

interface PathArgs {
  readonly path: string;
}

interface ReferenceArgs {
  readonly reference: string;
}

/** What to do about what kustomize says. */
const hints: readonly (readonly [parsed: RegExp, hint: string])[] = [
  [
    /security; file .* is not in or below/,
    'move the file below the kustomization, or lift the restriction (--load-restrictions none)',
  ],
  [
    /must specify --enable-helm|HelmChartInflationGenerator/,
    'charts in kustomizations stay off; build the chart itself with `kurel build` and name its output as a resource',
  ],
];

export const kustomizeProblems = defineProblems({
  'kustomization-not-found': {
    severity: 'error',
    summary: 'A directory that should be a kustomization has no kustomization file, or does not exist.',
    message: ({ path, isThere }: PathArgs & { readonly isThere: boolean }) =>
      isThere ? `${quote(path)} has no kustomization file` : `the kustomization ${quote(path)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      near === undefined
        ? 'expected one of kustomization.yaml, kustomization.yml, Kustomization'
        : `did you mean ${quote(near)}?`,
  },
  'kustomization-reference-missing': {
    severity: 'error',
    summary: 'A kustomization names a file or directory that does not exist.',
    message: ({ reference }: ReferenceArgs) => `${quote(reference)} does not exist`,
    hint: ({ reference, near }: ReferenceArgs & { readonly near: string | undefined }) => {
      if (reference === 'values.yaml') return 'it is made of the values that are given, and there are none';
      return near === undefined ? undefined : `did you mean ${quote(near)}?`;
    },
  },
  'kustomization-needs-network': {
    severity: 'error',
    summary: 'A kustomization names something that lies elsewhere, and the network is not allowed.',
    message: ({ reference }: ReferenceArgs) => `${quote(reference)} would be fetched, but the network is not allowed`,
    hint: ({ reference, isThere }: ReferenceArgs & { readonly isThere: boolean }) =>
      isThere
        ? `allow it (--allow-network), or write ${quote(`./${reference}`)} to name what is on the disk`
        : 'allow it (--allow-network), or put a copy beside the kustomization',
  },
  'kustomization-link-out': {
    severity: 'error',
    summary: 'A kustomization that is given values names something behind a link that leads out of its directory.',
    message: ({ path, directory }: PathArgs & { readonly directory: string }) =>
      `the link ${quote(path)} leads out of ${quote(directory)}`,
    hint: () => 'put a copy in its place, or lift the restriction (--load-restrictions none)',
  },
  'kustomization-not-a-file': {
    severity: 'error',
    summary: 'A kustomization names something that is neither file nor directory.',
    message: ({ path }: PathArgs) => `${quote(path)} is a device, a pipe, a socket or a link that leads nowhere`,
  },
  'kustomization-too-large': {
    severity: 'error',
    summary: 'A kustomization that is given values has too many files to be copied.',
    message: ({ path, limit }: PathArgs & { readonly limit: string }) =>
      `the kustomization ${quote(path)} has more than ${limit}, which is too much to be built with values`,
  },
  'kustomization-values-exist': {
    severity: 'error',
    summary: 'Values are given to a kustomization that has a values.yaml of its own.',
    message: ({ path }: PathArgs) => `${quote(path)} exists, but the values that are given would stand there`,
    hint: () => 'rename it, or give no values',
  },
  'kustomization-value-name': {
    severity: 'error',
    summary: 'A value for a kustomization has a name that a ConfigMap does not take.',
    message: ({ name }: { readonly name: string }) =>
      `${quote(name)} cannot be the name of a value for a kustomization`,
    hint: () => 'values become a ConfigMap, whose keys have only letters, digits, "-", "_" and "."',
  },
  'kustomization-build-failed': {
    severity: 'error',
    summary: 'Kustomize cannot build a kustomization.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `kustomize cannot build ${quote(path)}: ${reason}`,
    hint: ({ reason }: { readonly reason: string }) => hints.find(([parsed]) => parsed.test(reason))?.[1],
  },
  'kustomization-warning': {
    severity: 'warning',
    summary: 'Kustomize warns, mostly about deprecated fields.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `kustomize warns about ${quote(path)}: ${reason}`,
  },
});
