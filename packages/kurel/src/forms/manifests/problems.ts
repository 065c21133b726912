import { defineProblems, quote } from '../../diagnostics/index.ts';

interface PathArgs {
  readonly path: string;
}

export const manifestsProblems = defineProblems({
  'manifests-not-found': {
    severity: 'error',
    summary: 'The path of a source of manifests does not exist.',
    message: ({ path }: PathArgs) => `${quote(path)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      near === undefined ? undefined : `did you mean ${quote(near)}?`,
  },
  'manifests-none': {
    severity: 'error',
    summary: 'A directory or pattern leads to no file of manifests.',
    message: ({ path, isPattern }: PathArgs & { readonly isPattern: boolean }) =>
      isPattern ? `no file matches the pattern ${quote(path)}` : `the directory ${quote(path)} holds no manifests`,
    hint: ({ hint }: { readonly hint: string }) => hint,
  },
  'manifests-bad-pattern': {
    severity: 'error',
    summary: 'A file pattern cannot be read.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `the pattern ${quote(path)} ${reason}`,
    hint: () => 'write \\[ or \\{ where the character itself is meant',
  },
  'manifests-link-out': {
    severity: 'error',
    summary: 'A link in a directory of manifests leads out of that directory.',
    message: ({ path, directory }: PathArgs & { readonly directory: string }) =>
      `the link ${quote(path)} leads out of ${quote(directory)}`,
    hint: () => 'put a copy in its place, or build the file that it leads to as well',
  },
  'manifests-link-circle': {
    severity: 'error',
    summary: 'A link in a directory of manifests leads to a directory that it stands in.',
    message: ({ path }: PathArgs) => `the link ${quote(path)} leads in a circle`,
    hint: () => 'remove the link',
  },
  'manifests-not-a-file': {
    severity: 'error',
    summary: 'Something that is neither file nor directory has the name of a manifest.',
    message: ({ path }: PathArgs) => `${quote(path)} is a device, a pipe, a socket or a link that leads nowhere`,
  },
  'manifests-unreadable': {
    severity: 'error',
    summary: 'A file or directory of manifests cannot be read.',
    message: ({ reason }: { readonly reason: string }) => `cannot read ${reason}`,
  },
  'manifests-kustomization': {
    severity: 'warning',
    summary: 'Among plain manifests there is a kustomization, which is left out.',
    message: ({ kind, file }: { readonly kind: string; readonly file: string }) =>
      `the ${kind} in ${quote(file)} is left out: it is a kustomization, not an object for a cluster`,
    hint: () => 'build its directory',
  },
  'manifests-too-many': {
    severity: 'error',
    summary: 'A source of manifests has more files, or more text, than kurel reads at once.',
    message: ({ path, limit }: PathArgs & { readonly limit: string }) => `${quote(path)} has more than ${limit}`,
    hint: () => 'build its parts one by one',
  },
  'manifests-directory-skipped': {
    severity: 'warning',
    summary: 'A pattern matches a directory, whose files it does not match.',
    message: ({ path, pattern }: PathArgs & { readonly pattern: string }) =>
      `the pattern ${quote(pattern)} matches the directory ${quote(path)}, which is not read`,
    hint: () => 'use ** to reach the files of directories, as in "deploy/**/*.yaml"',
  },
  'manifests-file-skipped': {
    severity: 'note',
    summary: 'A pattern matches a file that does not have the name of a manifest.',
    message: ({ path, pattern }: PathArgs & { readonly pattern: string }) =>
      `the pattern ${quote(pattern)} matches ${quote(path)}, which is not read: it does not end in .yaml, .yml or .json`,
  },
  'manifests-own-document': {
    severity: 'error',
    summary: 'A document of a package or a platform is among plain manifests.',
    message: ({ kind }: { readonly kind: string }) => `${quote(kind)} is a document of kurel, and no manifest`,
    hint: ({ kind, file }: { readonly kind: string; readonly file: string }) => adviseOwn(kind, file),
  },
});

function adviseOwn(kind: string, file: string): string | undefined {
  const flag = { ClusterProfile: '--profile', Policy: '--policy', CapabilityDefinition: '--capability-def' }[kind];
  if (flag !== undefined) return `it is given with ${flag} ${file} when a package is built`;
  const name = { Package: 'kurel.yaml', Application: 'app.yaml' }[kind];
  if (name === undefined) return undefined;
  const directory = file.replace(/\/?[^/]*$/, '');
  return file.endsWith(name)
    ? `build the package itself: kurel build ${directory === '' ? '.' : directory}`
    : `rename it to ${name}, and build the directory that it is in`;
}
