import { defineProblems, quote } from '../diagnostics/index.ts';

interface PathArgs {
  readonly path: string;
}

interface InsideArgs extends PathArgs {
  readonly source: string;
  /** Whether the input is read without hidden files and directories. */
  readonly skipsHidden: boolean;
}

const placesOfDocuments: ReadonlyMap<string, string> = new Map([
  ['ClusterProfile', 'give the profile of a platform with --profile'],
  ['Policy', 'give the policy of a platform with --policy'],
  ['CapabilityDefinition', 'give definitions with --capability-def, or put them into definitions/ of the package'],
  ['Package', 'it declares the parameters of a package, which is named by its directory'],
  ['Application', 'it is part of a package, which is named by its directory'],
]);

/** What can be wrong between what a build gives and where it is to go. */
export const cliProblems = defineProblems({
  'output-stale': {
    severity: 'error',
    summary: 'With --check: a file is not what would be written.',
    message: ({ path, state }: PathArgs & { readonly state: 'missing' | 'different' | 'left over' }) =>
      ({
        missing: `${quote(path)} is missing`,
        different: `${quote(path)} is not up to date`,
        'left over': `${quote(path)} is no longer produced`,
      })[state],
    hint: () => 'leave out --check to bring it up to date',
  },
  'output-empty': {
    severity: 'error',
    summary: 'Nothing is left to write, so an output would only be emptied.',
    message: ({ path }: PathArgs) => `there are no objects to write to ${quote(path)}; it is left as it is`,
  },
  'output-is-input': {
    severity: 'error',
    summary: 'The output lies where the input was read, so the next build would read it again.',
    message: ({ path, source }: PathArgs & { readonly source: string }) =>
      `${quote(source)} is part of the input and lies in the output ${quote(path)}`,
    hint: () => 'write to another place',
  },
  'output-below-input': {
    severity: 'error',
    summary: 'The output would be inside the input, so later builds would read it, or fail because of it.',
    message: ({ path, source }: InsideArgs) =>
      path === source
        ? `the output ${quote(path)} is the input itself`
        : `the output ${quote(path)} is inside the input ${quote(source)}`,
    hint: ({ skipsHidden }: InsideArgs) =>
      skipsHidden
        ? 'write to another place, or to a directory whose name begins with a dot'
        : 'write to a directory outside of the input',
  },
  'patch-directory-empty': {
    severity: 'error',
    summary: 'A directory that --patch names holds no patches.',
    message: ({ path }: PathArgs) => `the directory ${quote(path)} holds no patches`,
    hint: () =>
      'patches are files in it that end in .kpatch, .yaml or .yml; hidden ones and those further below are not',
  },
  'patch-link-out': {
    severity: 'error',
    summary: 'A link among the patches of a directory leads out of it.',
    message: ({ file, path }: PathArgs & { readonly file: string }) =>
      `the link ${quote(file)} leads out of ${quote(path)}`,
    hint: () => 'put a copy in its place, or name the file it leads to with --patch',
  },
  'base-not-manifests': {
    severity: 'error',
    summary: 'What is to be patched is rendered by a program, or is a package, so its files are no manifests.',
    message: ({ path, form }: PathArgs & { readonly form: string }) =>
      `${quote(path)} is ${form}; kurel patch patches manifests`,
    hint: ({ path }: PathArgs) => `to patch what it renders: kurel build ${path} --patch FILE`,
  },
  'base-twice': {
    severity: 'error',
    summary: 'A file of the manifests to patch is read twice, so every target in it would be ambiguous.',
    message: ({ path, first }: PathArgs & { readonly first: string }) =>
      path === first ? `${quote(path)} is read twice` : `${quote(path)} is the same file as ${quote(first)}`,
    hint: () => 'name each file once: directories and patterns take the files in them',
  },
  'values-document': {
    severity: 'error',
    summary: 'A file that --values names is a document of a platform or a package, and holds no values.',
    message: ({ path, kind }: PathArgs & { readonly kind: string }) =>
      `${quote(path)} is of kind ${quote(kind)}, and holds no values`,
    hint: ({ kind }: { readonly kind: string }) =>
      placesOfDocuments.get(kind) ?? 'a values file has no apiVersion and no kind',
  },
  'output-not-validated': {
    severity: 'note',
    summary: 'With --no-validate: the manifests were not validated.',
    message: () => 'the output was not validated',
    hint: () => 'leave out --no-validate to validate it',
  },
  'images-hidden': {
    severity: 'warning',
    summary: 'With images: something is built that leads to images which only the cluster will know.',
    message: ({ object, reason }: { readonly object: string; readonly reason: string }) =>
      `the images of ${quote(object)} are not listed: ${reason}`,
  },
  'init-refused': {
    severity: 'error',
    summary: 'A new package cannot be written where it should be.',
    message: ({ path, reason }: PathArgs & { readonly reason: string }) => `${quote(path)} is not written: ${reason}`,
  },
  'fmt-nothing': {
    severity: 'error',
    summary: 'A directory to format holds no .kpatch files.',
    message: ({ path }: PathArgs) => `the directory ${quote(path)} holds no .kpatch files`,
  },
  'fmt-stale': {
    severity: 'error',
    summary: 'With --check: a .kpatch file is not formatted.',
    message: ({ path }: PathArgs) => `${quote(path)} is not formatted`,
    hint: () => 'leave out --check to format it',
  },
});
