import { defineProblems, didYouMean, joinMessages, pass, quote, sentence, setting } from '../diagnostics/index.ts';
import type { Message } from '../model/index.ts';
import type { SettingName } from '../settings/index.ts';

/** Name of the setting in messages. */
export const networkSetting = 'the permission to use the network';
export const fluxSetting = 'the namespace of Flux objects';

/** Findings about the input before its form is known, and about the programs that some forms need. */
export const inputProblems = defineProblems(() => ({
  'input-not-found': {
    summary: 'The input path does not exist.',
    fix: 'Correct the path. Use `-` to read manifests from standard input.',
    message: ({ path }: { readonly path: string }) => `${quote(path)} does not exist`,
    hint: ({ near }: { readonly near: string | undefined }) => didYouMean(near),
  },
  'input-ambiguous': {
    summary: 'A directory matches more than one kind of input.',
    fix: sentence`Pass \`${setting('as', 'FORM')}\` to choose the kind of input, or remove one of the files.`,
    message: ({ path, candidates }: { readonly path: string; readonly candidates: readonly FormMark[] }) =>
      `${quote(path)} is ambiguous: it could be ${candidates.map(({ form, file }) => `${withArticle(form)} (${file})`).join(' or ')}`,
    hint: ({ candidates }: { readonly candidates: readonly FormMark[] }) =>
      sentence`pass ${joinMessages(
        candidates.map(({ form }) => setting('as', form)),
        ', ',
      )} or ${setting('as', 'manifests')}`,
  },
  'input-package-unmarked': {
    summary: 'A directory looks like a patch package, but has no parameters.yaml.',
    fix: sentence`Add a parameters.yaml with \`kurel.name\`, \`kurel.version\` and \`kurel.appVersion\`, or pass \`${setting('as', 'manifests')}\` to build the files without patches.`,
    message: ({ path }: { readonly path: string }) =>
      `${quote(path)} looks like a patch package, but has no parameters.yaml`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      sentence`${near === undefined ? 'add one' : `rename ${quote(near)}`}, or ${pass('as', 'manifests')} to build the files without patches`,
  },
  'input-not-a-file': {
    summary: 'The input path is neither a file nor a directory.',
    fix: 'Pass a file or directory. Use `-` to read manifests from standard input, such as from a pipe.',
    message: ({ path }: { readonly path: string }) => `${quote(path)} is a device, a pipe, a socket or a broken link`,
    hint: () => 'use - to read manifests from standard input',
  },
  'input-setting-refused': {
    summary: 'A setting for the input, such as the release name, is invalid.',
    fix: 'Correct the value of the flag that the message names.',
    message: ({ reason }: { readonly reason: string }) => reason,
    hint: ({ name }: { readonly name?: SettingName | undefined }) =>
      name === undefined ? undefined : sentence`change ${setting(name)}`,
  },
  'input-setting-unused': {
    severity: 'warning',
    summary: 'A setting is ignored because it only applies to another kind of input.',
    fix: sentence`Remove the setting, or pass \`${setting('as')}\` if kurel does not detect the input correctly.`,
    message: ({ path, form, setting: ignored }: UnusedSetting) =>
      `${ignored} is ignored: ${quote(path)} ${form === 'manifests' ? 'contains plain manifests' : `is ${withArticle(form)}`}`,
    hint: ({ form, setting: ignored }: UnusedSetting) => {
      if (ignored === fluxSetting) return 'remove it, or build with the layout flux';
      return form === 'application' && ignored === networkSetting
        ? sentence`remove ${setting('allowNetwork')}: application packages fetch their sources unless you ${pass('offline')}`
        : undefined;
    },
  },
  'input-takes-no-values': {
    severity: 'warning',
    summary: 'Values are ignored because plain manifests do not use them.',
    fix: sentence`Remove \`${setting('values')}\` and \`${setting('set')}\`, or pass a patch that uses the values with \`${setting('patches')}\`.`,
    message: ({ path }: { readonly path: string }) => `values are ignored: ${quote(path)} contains plain manifests`,
  },
  'input-scope-unknown': {
    severity: 'note',
    summary: 'A namespace is set on objects of a kind whose scope is unknown.',
    fix: sentence`Add the CustomResourceDefinition to the input, or pass it with \`${setting('crds')}\`, so that kurel knows the scope of the kind.`,
    message: ({ kind, namespace }: { readonly kind: string; readonly namespace: string }) =>
      `namespace ${quote(namespace)} is set on kind ${quote(kind)}, whose scope is unknown`,
    hint: () => 'if the kind is cluster-scoped, add its CustomResourceDefinition to the input',
  },
  'input-needs-program': {
    summary: 'The input requires helm or kustomize, which cannot be run.',
    fix: sentence`Install helm or kustomize so that it is in the PATH, or raise \`${setting('timeout')}\` if it was stopped.`,
    message: ({ reason }: { readonly reason: string }) => reason,
    hint: ({ hint }: { readonly hint: Message | undefined }) => hint,
  },
  'package-link-out': {
    summary: 'A link in a package points outside it.',
    fix: 'Copy the file into the package and remove the link. A package must be self-contained.',
    message: ({ path }: { path: string }) => `link ${quote(path)} points outside the package`,
    hint: () => 'copy the file into the package',
  },
  'package-too-large': {
    summary: 'A package exceeds the limit for files, patches or size.',
    fix: sentence`Remove files that do not belong to the package, or raise the limit with \`${setting('maxPackageSize')}\`, \`${setting('maxResources')}\` or \`${setting('maxPatches')}\`.`,
    message: ({ path, what, limit }: TooLarge) => {
      if (what === 'maxSize') return `${quote(path)} is larger than ${formatSize(limit)}`;
      return `${quote(path)} has more than ${limit} ${what === 'maxPatches' ? 'patches' : 'files below resources/'}`;
    },
    hint: ({ what }: TooLarge) => {
      const limits = { maxSize: 'maxPackageSize', maxResources: 'maxResources', maxPatches: 'maxPatches' } as const;
      return sentence`raise ${setting(limits[what])}`;
    },
  },
  'package-file-unreadable': {
    summary: 'A file in a package cannot be read.',
    fix: 'Check that the file exists, that you may read it, and that it is a regular file.',
    message: ({ reason }: { reason: string }) => `cannot read ${reason}`,
    hint: ({ near }: { near?: string | undefined }) => didYouMean(near),
  },
}));

interface TooLarge {
  /** Path of the package or of its local extension. */
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

interface FormMark {
  readonly form: string;
  readonly file: string;
}

function withArticle(form: string): string {
  return form === 'application'
    ? 'an application package'
    : `${/^[aeiou]/.test(form) ? 'an' : 'a'} ${form.replace('-', ' ')}`;
}
