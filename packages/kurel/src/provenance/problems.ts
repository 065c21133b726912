import { defineProblems, quote } from '../diagnostics/index.ts';

interface ObjectArgs {
  readonly text: string;
}

export const traceProblems = defineProblems({
  'explain-object-unknown': {
    severity: 'error',
    summary: 'The object that is asked for is not among those of the build.',
    message: ({ text }: ObjectArgs) => `there is no object ${quote(text)}`,
    hint: ({ near, known }: { readonly near: string | undefined; readonly known: readonly string[] }) =>
      near === undefined ? listKnown(known) : `did you mean ${near}?`,
  },
  'explain-object-ambiguous': {
    severity: 'error',
    summary: 'The words that name an object fit several.',
    message: ({ text, count }: ObjectArgs & { readonly count: number }) =>
      `${quote(text)} could be any of ${count} objects`,
    hint: ({ candidates, advice }: { readonly candidates: readonly string[]; readonly advice: string | undefined }) =>
      advice === undefined ? 'they have the same kind, name and namespace' : `${advice}: ${listShort(candidates)}`,
  },
  'explain-object-removed': {
    severity: 'error',
    summary: 'The object that is asked for was taken out by a patch.',
    message: ({ text }: ObjectArgs) => `${quote(text)} is not built: this patch takes it out`,
  },
  'explain-too-large': {
    severity: 'error',
    summary: 'An object has too many fields to say of each where it comes from.',
    message: ({ object }: { readonly object: string }) => `${object} has too many fields to explain`,
    hint: () => 'kurel build prints the object; move large data into objects of their own',
  },
  'explain-field-syntax': {
    severity: 'error',
    summary: 'The path of a field cannot be read.',
    message: ({ text, reason }: { readonly text: string; readonly reason: string }) =>
      `cannot read the field ${quote(text)}: ${reason}`,
    hint: () => 'write it as in a patch: spec.replicas, containers.name=web.image, metadata.labels["a.b/c"]',
  },
  'explain-field-unknown': {
    severity: 'error',
    summary: 'The object has no such field, and had none that was taken away.',
    message: ({ text, object }: { readonly text: string; readonly object: string }) =>
      `${object} has no field ${quote(text)}`,
    hint: ({ near }: { readonly near: string | undefined }) =>
      near === undefined ? 'without FIELD all fields are shown' : `did you mean ${near}?`,
  },
});

function listKnown(known: readonly string[]): string | undefined {
  return known.length === 0 ? undefined : `there are ${listShort(known)}`;
}

const most = 10;

function listShort(words: readonly string[]): string {
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown} and ${words.length - most} more` : shown;
}
