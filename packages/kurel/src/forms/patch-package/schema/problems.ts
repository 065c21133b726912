import { defineProblems, didYouMean, escapeControls, nearest, quote } from '../../../diagnostics/index.ts';
import { listWords } from '../../../schema/index.ts';

const mostFields = 12;

/** Findings about parameter schemas. */
export const parameterSchemaProblems = defineProblems(() => ({
  'schema-variable-unknown': {
    severity: 'warning',
    isBrief: true,
    summary: 'A variable is used, but the schema does not describe its parameter.',
    fix: 'Add a default for the parameter to parameters.yaml, or describe it in schemas/parameters.overrides.yaml.',
    message: ({ variable }: { variable: string }) => `Variable '${escapeControls(variable)}' used but not in schema`,
    hint: ({ advice }: { advice: string }) => advice,
  },
  'schema-override-idle': {
    severity: 'warning',
    isBrief: true,
    summary: 'schemas/parameters.overrides.yaml describes a parameter that is not used.',
    fix: 'Correct the name of the parameter in schemas/parameters.overrides.yaml, or remove the description.',
    message: ({ parameter }: { parameter: string }) =>
      `the description of ${quote(parameter)} has no effect: the parameter has no value and is not used`,
    hint: ({ near }: { near: string | undefined }) => didYouMean(near),
  },
  'schema-trace-conflict': {
    severity: 'warning',
    summary: 'A parameter is used for fields with incompatible types.',
    fix: 'Use a separate parameter for each field, or describe the type of the parameter in schemas/parameters.overrides.yaml.',
    message({ parameter, fields }: { parameter: string; fields: readonly string[] }) {
      const left = fields.length - mostFields;
      const shown = left > 0 ? [...fields.slice(0, mostFields), `${left} more`] : fields;
      return `${quote(parameter)} is used for fields of different types: ${listWords(shown, 'and')}`;
    },
    hint: () => 'use a separate parameter for each',
  },
  'schema-invalid': {
    summary: 'A parameter schema or schema override is not a valid JSON Schema.',
    fix: 'Correct the schema: JSON Schema draft 7 in JSON or YAML.',
    message: ({ what, wanted }: { what: string; wanted: string }) => `${what} must be ${wanted}`,
    hint: ({ near }: { near?: string | undefined }) => didYouMean(near, String),
  },
  'schema-keyword-unknown': {
    severity: 'warning',
    summary: 'A schema has an unknown keyword, which is ignored.',
    fix: 'Correct or remove the keyword. Put parameters below `properties`.',
    message: ({ word }: { word: string }) => `unknown schema keyword ${quote(word)} is ignored`,
    hint: ({ word, words, isRoot }: { word: string; words: readonly string[]; isRoot: boolean }) =>
      didYouMean(nearest(word, words), String) ?? (isRoot ? 'put parameters below "properties"' : undefined),
  },
  'schema-pattern-unreadable': {
    severity: 'warning',
    summary: 'A pattern in a schema is ignored because it is invalid, or uses lookaround or backreferences.',
    fix: 'Rewrite the pattern as a regular expression without lookaround and backreferences.',
    message: ({ pattern }: { pattern: string }) =>
      `pattern ${quote(pattern)} is ignored: it is not a supported regular expression`,
    hint: () => 'use a regular expression without lookaround and backreferences',
  },
}));
