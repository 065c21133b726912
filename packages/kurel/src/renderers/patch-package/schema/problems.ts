import { defineProblems, escapeControls, nearest, quote } from '../../../diagnostics/index.ts';

interface OfParameter {
  /** As a person would write it between the braces: `persistence.size`. */
  readonly parameter: string;
}

interface OfValue extends OfParameter {
  /** As messages show it, texts in quotes. */
  readonly value: string;
}

interface TextMeant {
  /** The value as a text, where one is wanted. */
  readonly quoted: string | undefined;
  /** It is given by `--set`, where quotes are part of a text. */
  readonly isAssigned?: boolean;
}

/** What values can have wrong, in words that are part of the design of `kurel validate`, and what schemas can. */
export const parameterSchemaProblems = defineProblems({
  'parameter-type': {
    severity: 'error',
    summary: 'A parameter is given a value of another type than its schema has.',
    message: ({ parameter, expected, found }: OfParameter & { expected: readonly string[]; found: string }) =>
      `${parameter}: expected ${list(expected, 'or')}, got ${found}`,
    hint: ({ parameter, quoted, isAssigned = false }: OfParameter & TextMeant) => {
      if (quoted === undefined) return undefined;
      if (!isAssigned) return `write it in quotes: ${quoted}`;
      // A dot in a key is written in another way there.
      return `give it as a text: --set-string${parameter.includes('"') ? '' : ` ${parameter}=${quoted.slice(1, -1)}`}`;
    },
  },
  'parameter-pattern': {
    severity: 'error',
    summary: 'A text that a parameter is given does not have the form its schema asks for.',
    message: ({ parameter, value, pattern }: OfValue & { pattern: string }) =>
      `${parameter} ${value} doesn't match pattern "${showPattern(pattern)}"`,
    hint: ({ example }: { example: string | undefined }) =>
      example === undefined ? undefined : `the package itself has ${example}`,
  },
  'parameter-range': {
    severity: 'error',
    summary: 'A number that a parameter is given is too small, too large, or no multiple of what it must be.',
    message: ({ parameter, value, demand }: OfValue & { demand: string }) => `${parameter}: ${value} ${demand}`,
  },
  'parameter-length': {
    severity: 'error',
    summary: 'A text, list or mapping that a parameter is given is too short or too long.',
    message: ({ parameter, demand }: OfParameter & { demand: string }) => `${parameter}: ${demand}`,
  },
  'parameter-enum': {
    severity: 'error',
    summary: 'A parameter is given something else than one of the values it may have.',
    message: ({ parameter, value, allowed }: OfValue & { allowed: readonly string[] }) =>
      `${parameter}: ${value} is not ${allowed.length === 1 ? allowed[0]! : `one of ${list(allowed, 'and')}`}`,
    hint: ({ word, words }: { word: string | undefined; words: readonly string[] }) => {
      const near = word === undefined ? undefined : nearest(word, words);
      return near === undefined ? undefined : `did you mean ${quote(near)}?`;
    },
  },
  'parameter-missing': {
    severity: 'error',
    summary: 'A parameter that must be given is not.',
    message: ({ parameter }: OfParameter) => `${parameter} is required`,
    hint: ({ parameter }: OfParameter) => `give it with --values or --set ${parameter}=…`,
  },
  'parameter-not-allowed': {
    severity: 'error',
    summary: 'A parameter is given that the schema does not allow.',
    message: ({ parameter }: OfParameter) => `${parameter} is not a parameter of the package`,
    hint: ({ near }: { near: string | undefined }) => (near === undefined ? undefined : `did you mean ${near}?`),
  },
  'parameter-alternatives': {
    severity: 'error',
    summary: 'A value fits none, or too many, of the forms that its schema allows, or one that it forbids.',
    message: ({ parameter, demand }: OfParameter & { demand: string }) => `${parameter}: ${demand}`,
    hint: ({ reasons }: { reasons: readonly string[] }) => (reasons.length === 0 ? undefined : reasons.join('; ')),
  },
  'schema-too-complex': {
    severity: 'error',
    summary: 'A schema of parameters takes more work than values could ever need.',
    message: () => 'the schema of the parameters is too complex to check values against it',
  },
  'schema-variable-unknown': {
    severity: 'warning',
    summary: 'A variable is used whose parameter the package does not have, so that nothing is known about it.',
    message: ({ variable }: { variable: string }) => `Variable '${escapeControls(variable)}' used but not in schema`,
    hint: ({ key }: { key: string }) => `give it a value in parameters.yaml, or describe it in ${key}`,
  },
  'schema-trace-conflict': {
    severity: 'warning',
    summary: 'A parameter is used for fields that no one value fits.',
    message: ({ parameter, fields }: OfParameter & { fields: readonly string[] }) =>
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

const longestPattern = 300;

function showPattern(pattern: string): string {
  return escapeControls(pattern.length > longestPattern ? `${pattern.slice(0, longestPattern)}…` : pattern);
}
