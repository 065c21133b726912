import { defineProblems, escapeControls, nearest, quote } from '../../../diagnostics/index.ts';

/** What schemas of parameters can have wrong. */
export const parameterSchemaProblems = defineProblems({
  'schema-variable-unknown': {
    severity: 'warning',
    summary: 'A variable is used whose parameter the schema does not have, so that nothing is known about it.',
    message: ({ variable }: { variable: string }) => `Variable '${escapeControls(variable)}' used but not in schema`,
    hint: ({ advice }: { advice: string }) => advice,
  },
  'schema-override-idle': {
    severity: 'warning',
    summary: 'schemas/parameters.overrides.yaml describes a parameter that has no value and that nothing refers to.',
    message: ({ parameter }: { parameter: string }) =>
      `${quote(parameter)} is described, but it has no value and nothing refers to it`,
    hint: ({ near }: { near: string | undefined }) => (near === undefined ? undefined : `did you mean ${quote(near)}?`),
  },
  'schema-trace-conflict': {
    severity: 'warning',
    summary: 'A parameter is used for fields that no one value fits.',
    message: ({ parameter, fields }: { parameter: string; fields: readonly string[] }) =>
      `${quote(parameter)} is used for fields of different types: ${list(fields, 'and')}`,
    hint: () => 'use a parameter of its own for each',
  },
  'schema-invalid': {
    severity: 'error',
    summary: 'A schema, or what is laid over the generated one, is not a JSON Schema.',
    message: ({ what, wanted }: { what: string; wanted: string }) => `${what} must be ${wanted}`,
    hint: ({ near }: { near?: string | undefined }) => (near === undefined ? undefined : `did you mean ${near}?`),
  },
  'schema-keyword-unknown': {
    severity: 'warning',
    summary: 'A schema has a word that means nothing here, so that it is not checked.',
    message: ({ word }: { word: string }) =>
      `${quote(word)} is not checked: it is no word of a schema that is known here`,
    hint: ({ word, known, isRoot }: { word: string; known: readonly string[]; isRoot: boolean }) => {
      const near = nearest(word, known);
      if (near !== undefined) return `did you mean ${near}?`;
      return isRoot ? 'parameters stand below the word properties' : undefined;
    },
  },
  'schema-pattern-unreadable': {
    severity: 'warning',
    summary: 'A pattern of a schema is no regular expression, or looks ahead or back, so that it is not checked.',
    message: ({ pattern }: { pattern: string }) => `the pattern ${quote(pattern)} cannot be checked`,
    hint: () => 'it must be a regular expression without look-around and back references',
  },
});

const most = 12;

function list(words: readonly string[], last: 'and' | 'or'): string {
  const shown = words.length > most ? [...words.slice(0, most), `${words.length - most} more`] : words;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)!}`;
}
