import { defineProblems, quote } from '../diagnostics/index.ts';

/** What can go wrong before it is known what the input is, and with the programs that some inputs need. */
export const networkSetting = 'leave to use the network';

export const inputProblems = defineProblems({
  'input-not-found': {
    severity: 'error',
    summary: 'The path to build does not exist.',
    message: ({ path }: { readonly path: string }) => `${quote(path)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      near === undefined ? undefined : `did you mean ${quote(near)}?`,
  },
  'input-ambiguous': {
    severity: 'error',
    summary: 'A directory could be two kinds of input.',
    message: ({ path, found }: { readonly path: string; readonly found: readonly FoundForm[] }) =>
      `${quote(path)} could be ${found.map(({ form, file }) => `${withArticle(form)} (${file})`).join(' or ')}`,
    hint: ({ found }: { readonly found: readonly FoundForm[] }) => `say which with ${listFlags(found)}`,
  },
  'input-package-unmarked': {
    severity: 'error',
    summary: 'A directory that looks like a patch package has no parameters.yaml, which makes it one.',
    message: ({ path }: { readonly path: string }) =>
      `${quote(path)} looks like a patch package, but has no parameters.yaml`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      `${near === undefined ? 'add one' : `rename ${quote(near)}`}, or build its files as they are with --as manifests`,
  },
  'input-not-a-file': {
    severity: 'error',
    summary: 'The path to build is neither a file nor a directory.',
    message: ({ path }: { readonly path: string }) =>
      `${quote(path)} is a device, a pipe, a socket or a link that leads nowhere`,
    hint: () => 'use - to read manifests from standard input',
  },
  'input-setting-refused': {
    severity: 'error',
    summary: 'A setting for the input, such as the name of a release, cannot be used.',
    message: ({ reason }: { readonly reason: string }) => reason,
    hint: ({ flag }: { readonly flag?: string | undefined }) => (flag === undefined ? undefined : `change ${flag}`),
  },
  'input-setting-unused': {
    severity: 'warning',
    summary: 'A setting is given that only another kind of input has a use for.',
    message: ({ path, form, setting }: UnusedSetting) =>
      `${setting} is given, but ${quote(path)} is ${form === 'manifests' ? 'plain manifests, which have' : `${withArticle(form)}, which has`} no use for it`,
    hint: ({ form, setting }: UnusedSetting) =>
      form === 'application' && setting === networkSetting
        ? 'leave out --allow-network: sources of an application package are fetched without it, unless --offline forbids it'
        : undefined,
  },
  'input-takes-no-values': {
    severity: 'warning',
    summary: 'Values are given to an input that has no use for them.',
    message: ({ path }: { readonly path: string }) =>
      `values are given, but ${quote(path)} is plain manifests, which take none`,
  },
  'input-scope-unknown': {
    severity: 'note',
    summary: 'Objects are put into a namespace although it is not known whether their kind lives in one.',
    message: ({ kind, namespace }: { readonly kind: string; readonly namespace: string }) =>
      `${quote(kind)} is put into the namespace ${quote(namespace)}; whether the kind is namespaced is not known`,
    hint: () => 'if it is not, add its CustomResourceDefinition to the input',
  },
  'input-needs-program': {
    severity: 'error',
    summary: 'The input needs helm or kustomize, which cannot be run here.',
    message: ({ reason }: { readonly reason: string }) => reason,
    hint: ({ hint }: { readonly hint: string | undefined }) => hint,
  },
  'package-link-out': {
    severity: 'error',
    summary: 'A link in a package leads out of it.',
    message: ({ path }: { path: string }) => `${quote(path)} is a link that leads out of the package`,
    hint: () => 'a package holds all that it needs; copy the file into it',
  },
  'package-too-large': {
    severity: 'error',
    summary: 'A package has more files or text than packages may have.',
    message: ({ path, what, limit }: TooLarge) => {
      if (what === 'maxSize') return `${quote(path)} has more than ${formatSize(limit)} of text`;
      return `${quote(path)} has more than ${limit} ${what === 'maxPatches' ? 'patches' : 'files below resources/'}`;
    },
    hint: ({ what }: TooLarge) => {
      const flags = { maxSize: '--max-package-size', maxResources: '--max-resources', maxPatches: '--max-patches' };
      return `if all of it is meant, ${flags[what]} raises the limit`;
    },
  },
  'package-file-unreadable': {
    severity: 'error',
    summary: 'A file of a package cannot be read.',
    message: ({ reason }: { reason: string }) => `cannot read ${reason}`,
    hint: ({ near }: { near?: string | undefined }) =>
      near === undefined ? undefined : `did you mean ${quote(near)}?`,
  },
});

interface TooLarge {
  /** Of the package, or of its local extension. */
  readonly path: string;
  readonly what: 'maxSize' | 'maxResources' | 'maxPatches';
  readonly limit: number;
}

function formatSize(characters: number): string {
  const mebibyte = 1024 * 1024;
  return characters % mebibyte === 0 ? `${characters / mebibyte} MiB` : `${characters} bytes`;
}

interface UnusedSetting {
  readonly path: string;
  readonly form: string;
  readonly setting: string;
}

interface FoundForm {
  readonly form: string;
  readonly file: string;
}

function withArticle(form: string): string {
  return `${/^[aeiou]/.test(form) ? 'an' : 'a'} ${form.replace('-', ' ')}`;
}

/** Forms of two words are those that cannot be built yet. */
function listFlags(found: readonly FoundForm[]): string {
  const forms = found.map(({ form }) => form).filter((form) => !form.includes(' '));
  return [...forms, 'manifests'].map((form) => `--as ${form}`).join(' or ');
}
