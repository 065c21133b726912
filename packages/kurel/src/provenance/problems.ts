import { defineProblems, didYouMean, listFirst, listNames, quote, sentence, setting } from '../diagnostics/index.ts';

interface ObjectArgs {
  readonly text: string;
}

export const traceProblems = defineProblems(() => ({
  'explain-object-unknown': {
    summary: 'The object to explain does not exist in the build.',
    fix: 'Correct the name. Run `kurel explain PATH` without OBJECT to list the objects of the build.',
    message: ({ text }: ObjectArgs) => `object ${quote(text)} does not exist`,
    hint: ({ near, names }: { readonly near: string | undefined; readonly names: readonly string[] }) =>
      didYouMean(near, String) ?? (names.length === 0 ? undefined : listNames(names, most)),
  },
  'explain-object-ambiguous': {
    summary: 'The name of the object to explain matches more than one object.',
    fix: 'Use a more specific name: `kind.name`, `namespace/kind.name` or `kind@group/name`.',
    message: ({ text, count }: ObjectArgs & { readonly count: number }) =>
      `${quote(text)} is ambiguous: it matches ${count} objects`,
    hint: ({ candidates, advice }: { readonly candidates: readonly string[]; readonly advice: string | undefined }) =>
      advice === undefined
        ? 'rename one of them: they have the same kind, name and namespace'
        : `${advice}: ${listFirst(candidates, most)}`,
  },
  'explain-object-removed': {
    summary: 'A patch removes the object to explain.',
    fix: 'No action is needed if the patch is intended to remove the object. Otherwise change the `enabled` entry that the message points to.',
    message: ({ text }: ObjectArgs) => `object ${quote(text)} does not exist: this patch removes it`,
  },
  'explain-too-large': {
    summary: 'An object has too many fields to trace each of them.',
    fix: sentence`Use \`kurel build\` with \`${setting('kinds')}\` and \`${setting('names')}\` to print the object instead. Consider splitting it, such as a ConfigMap with many keys.`,
    message: ({ object }: { readonly object: string }) => `${object} has too many fields to explain`,
    hint: () => 'use kurel build to print the object, or move large data to separate objects',
  },
  'explain-field-syntax': {
    summary: 'The path of the field to explain is invalid.',
    fix: 'Use the path syntax of patches, such as `spec.replicas` or `containers.name=web.image`. Quote the argument for your shell.',
    message: ({ text, reason }: { readonly text: string; readonly reason: string }) =>
      `${quote(text)} is not a valid field path: ${reason}`,
    hint: () => 'use a path such as spec.replicas, containers.name=web.image or metadata.labels["a.b/c"]',
  },
  'explain-field-unknown': {
    summary: 'The object does not have the field, and no step removed it.',
    fix: 'Correct the path, or omit FIELD to list all fields of the object.',
    message: ({ text, object }: { readonly text: string; readonly object: string }) =>
      `field ${quote(text)} does not exist in ${object}`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      didYouMean(near, String) ?? 'omit FIELD to show all fields',
  },
}));

const most = 10;
