import { defineProblems, didYouMean, quote, sentence, setting } from '../../diagnostics/index.ts';
import type { Message } from '../../model/index.ts';
import type { SettingName } from '../../settings/index.ts';

interface PathArgs {
  readonly path: string;
}

export const manifestsProblems = defineProblems(() => ({
  'manifests-not-found': {
    summary: 'The path of the manifests does not exist.',
    fix: 'Correct the path. Use `-` to read manifests from standard input.',
    message: ({ path }: PathArgs) => `${quote(path)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) => didYouMean(near),
  },
  'manifests-none': {
    summary: 'A directory contains no manifests, or a pattern matches none.',
    fix: 'Correct the path or pattern. Manifests are files that end in .yaml, .yml or .json; hidden files are skipped.',
    message: ({ path, isPattern }: PathArgs & { readonly isPattern: boolean }) =>
      isPattern ? `no file matches the pattern ${quote(path)}` : `directory ${quote(path)} contains no manifests`,
    hint: ({ hint }: { readonly hint: string }) => hint,
  },
  'manifests-bad-pattern': {
    summary: 'A file pattern is invalid.',
    fix: 'Correct the pattern, and escape literal brackets and braces with a backslash. Quote the pattern for your shell.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `pattern ${quote(path)} ${reason}`,
    hint: () => 'use \\[ or \\{ for the literal character',
  },
  'manifests-link-out': {
    summary: 'A link in a directory of manifests points outside the directory.',
    fix: 'Replace the link with a copy of the file, or build the target of the link as well.',
    message: ({ path, directory }: PathArgs & { readonly directory: string }) =>
      `link ${quote(path)} points outside ${quote(directory)}`,
    hint: () => 'replace the link with a copy',
  },
  'manifests-link-circle': {
    summary: 'A link in a directory of manifests points to one of its own parent directories.',
    fix: 'Remove the link.',
    message: ({ path }: PathArgs) => `link ${quote(path)} forms a cycle`,
    hint: () => 'remove the link',
  },
  'manifests-not-a-file': {
    summary: 'A path with the name of a manifest is neither a file nor a directory.',
    fix: 'Remove the file, or rename it so that it does not end in .yaml, .yml or .json.',
    message: ({ path }: PathArgs) => `${quote(path)} is a device, a pipe, a socket or a broken link`,
  },
  'manifests-unreadable': {
    summary: 'A manifest file or directory cannot be read.',
    fix: 'Check that the file exists and that you may read it.',
    message: ({ reason }: { readonly reason: string }) => `cannot read ${reason}`,
  },
  'manifests-kustomization': {
    severity: 'warning',
    summary: 'A kustomization among plain manifests is ignored.',
    fix: sentence`Build the directory of the kustomization instead, or pass \`${setting('as', 'kustomization')}\`.`,
    message: ({ kind, file }: { readonly kind: string; readonly file: string }) =>
      `${kind} in ${quote(file)} is ignored: it is a kustomization, not a Kubernetes object`,
    hint: () => 'build the directory of the kustomization',
  },
  'manifests-too-many': {
    summary: 'The manifests exceed the limit for files, size or depth.',
    fix: 'Build parts of the directory separately, such as one subdirectory at a time.',
    message: ({ path, limit }: PathArgs & { readonly limit: string }) => `${quote(path)} has more than ${limit}`,
    hint: () => 'build parts of it separately',
  },
  'manifests-directory-skipped': {
    severity: 'warning',
    summary: 'A pattern matches a directory, but not the files in it.',
    fix: 'Use `**` to match files in subdirectories, as in "deploy/**/*.yaml".',
    message: ({ path, pattern }: PathArgs & { readonly pattern: string }) =>
      `directory ${quote(path)} is ignored: pattern ${quote(pattern)} matches it, but not its files`,
    hint: () => 'use ** to match files in directories, as in "deploy/**/*.yaml"',
  },
  'manifests-file-skipped': {
    severity: 'note',
    summary: 'A pattern matches a file that is not a manifest.',
    fix: 'No action is needed. To build the file, rename it to end in .yaml, .yml or .json; to avoid the note, use a narrower pattern.',
    message: ({ path, pattern }: PathArgs & { readonly pattern: string }) =>
      `${quote(path)} is ignored: it matches pattern ${quote(pattern)}, but does not end in .yaml, .yml or .json`,
  },
  'manifests-own-document': {
    summary: 'A kurel document, such as an Application or a ClusterProfile, is among plain manifests.',
    fix: sentence`Pass a ClusterProfile with \`${setting('profile')}\`, a Policy with \`${setting('policy')}\` and a CapabilityDefinition with \`${setting('definitions')}\`. Build an Application or Package by its directory.`,
    message: ({ kind }: { readonly kind: string }) => `${quote(kind)} is a kurel document, not a manifest`,
    hint: ({ kind, file }: { readonly kind: string; readonly file: string }) => adviseOwn(kind, file),
  },
}));

const settingOf: Readonly<Record<string, SettingName>> = {
  ClusterProfile: 'profile',
  Policy: 'policy',
  CapabilityDefinition: 'definitions',
};

function adviseOwn(kind: string, file: string): Message | undefined {
  const name = settingOf[kind];
  if (name !== undefined) return sentence`pass it with ${setting(name, file)} when you build a package`;
  const place = { Package: 'kurel.yaml', Application: 'app.yaml' }[kind];
  if (place === undefined) return undefined;
  const directory = file.replace(/\/?[^/]*$/, '');
  return file.endsWith(place)
    ? `build the package itself: kurel build ${directory === '' ? '.' : directory}`
    : `rename it to ${place}, and build its directory`;
}
