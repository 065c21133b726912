import { countNoun, defineProblems, didYouMean, pass, quote, sentence, setting } from '../../diagnostics/index.ts';
import type { Message } from '../../model/index.ts';

interface PathArgs {
  readonly path: string;
}

interface ReferenceArgs {
  readonly reference: string;
}

/** Hints for messages of kustomize. */
const hints: readonly (readonly [parsed: RegExp, hint: Message])[] = [
  [
    /security; file .* is not in or below/,
    sentence`move the file below the kustomization, or ${pass('loadRestrictions', 'none')}`,
  ],
  [
    /must specify --enable-helm|HelmChartInflationGenerator/,
    'build the chart with `kurel build` and add its output as a resource: kurel does not run charts in kustomizations',
  ],
];

export const kustomizeProblems = defineProblems(() => ({
  'kustomization-not-found': {
    summary: 'A kustomization directory does not exist, or has no kustomization file.',
    fix: 'Pass the directory that contains kustomization.yaml, or add the file.',
    message: ({ path, isThere }: PathArgs & { readonly isThere: boolean }) =>
      isThere ? `${quote(path)} has no kustomization file` : `kustomization ${quote(path)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) => didYouMean(near) ?? 'add kustomization.yaml',
  },
  'kustomization-reference-missing': {
    summary: 'A kustomization refers to a file or directory that does not exist.',
    fix: 'Correct the path in the kustomization. Paths are relative to the kustomization file.',
    message: ({ reference }: ReferenceArgs) => `${quote(reference)} does not exist`,
    hint: ({ reference, near }: ReferenceArgs & { readonly near: string | undefined }) => {
      if (reference === 'values.yaml')
        return sentence`${pass('values')} or ${setting('set')}: kurel creates this file from the values`;
      return didYouMean(near);
    },
  },
  'kustomization-needs-network': {
    summary: 'A kustomization refers to a remote resource, but network access is not allowed.',
    fix: sentence`Pass \`${setting('allowNetwork')}\`, or vendor the resource: copy it into the repository and refer to the copy.`,
    message: ({ reference }: ReferenceArgs) => `cannot fetch ${quote(reference)}: network access is not allowed`,
    hint: ({ reference, isThere }: ReferenceArgs & { readonly isThere: boolean }) =>
      isThere
        ? sentence`${pass('allowNetwork')}, or use ${quote(`./${reference}`)} for the local directory`
        : sentence`${pass('allowNetwork')}, or copy it next to the kustomization`,
  },
  'kustomization-link-out': {
    summary: 'A kustomization that is built with values refers to a link that points outside its directory.',
    fix: sentence`Replace the link with a copy of the file, or pass \`${setting('loadRestrictions', 'none')}\`.`,
    message: ({ path, directory }: PathArgs & { readonly directory: string }) =>
      `link ${quote(path)} points outside ${quote(directory)}`,
    hint: () => sentence`replace the link with a copy, or ${pass('loadRestrictions', 'none')}`,
  },
  'kustomization-not-a-file': {
    summary: 'A kustomization refers to something that is neither a file nor a directory.',
    fix: 'Refer to a regular file or a directory.',
    message: ({ path }: PathArgs) => `${quote(path)} is a device, a pipe, a socket or a broken link`,
  },
  'kustomization-too-large': {
    summary: 'A kustomization is too large to be built with values or source annotations, because kurel copies it.',
    fix: sentence`Build without \`${setting('values')}\` and \`${setting('set')}\`, or remove files that the kustomization does not need.`,
    message: ({ path, limit }: PathArgs & { readonly limit: string }) =>
      `kustomization ${quote(path)} has more than ${limit}, the limit for a build with values or source annotations`,
  },
  'kustomization-values-exist': {
    summary: 'Values are passed to a kustomization that already has a values.yaml.',
    fix: sentence`Rename values.yaml, or build without \`${setting('values')}\` and \`${setting('set')}\`.`,
    message: ({ path }: PathArgs) => `${quote(path)} already exists, but kurel creates this file from the values`,
    hint: () => sentence`rename it, or remove ${setting('values')} and ${setting('set')}`,
  },
  'kustomization-value-name': {
    summary: 'The name of a value is not a valid ConfigMap key.',
    fix: 'Rename the value. ConfigMap keys accept letters, digits, "-", "_" and ".".',
    message: ({ name }: { readonly name: string }) =>
      `${quote(name)} is not a valid name for a value of a kustomization`,
    hint: () => 'use only letters, digits, "-", "_" and ".": values become keys of a ConfigMap',
  },
  'kustomization-build-failed': {
    summary: 'kustomize cannot build a kustomization.',
    fix: 'Correct the kustomization as the message describes. `kustomize build` shows the same error.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `kustomize cannot build ${quote(path)}: ${reason}`,
    hint: ({ reason }: { readonly reason: string }) => hints.find(([parsed]) => parsed.test(reason))?.[1],
  },
  'sops-rewritten': {
    severity: 'note',
    summary: 'kustomize has rewritten objects that are encrypted with SOPS.',
    fix: 'Nothing to do if Flux decrypts the objects, because it does not check the MAC of SOPS. Otherwise, leave encrypted objects out of the kustomization, and build their files themselves: kustomize sorts fields and changes names, so the MAC no longer matches.',
    message: ({ path, count }: PathArgs & { readonly count: number }) =>
      `kustomize has rewritten ${countNoun(count, 'object')} of ${quote(path)} that SOPS has encrypted, so "sops decrypt" may refuse ${count === 1 ? 'it' : 'them'}`,
    hint: () => 'build the encrypted files themselves unless Flux decrypts them',
  },
  'kustomization-warning': {
    severity: 'warning',
    summary: 'kustomize prints a warning, usually about a deprecated field.',
    fix: 'Follow the advice of kustomize, such as `kustomize edit fix` for deprecated fields.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) =>
      `kustomize warning for ${quote(path)}: ${reason}`,
  },
}));
