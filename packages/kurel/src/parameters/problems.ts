import { defineProblems, quote } from '../diagnostics/index.ts';
import { lacksColonSpace } from '../yaml/index.ts';

export const parameterProblems = defineProblems({
  'set-syntax': {
    severity: 'error',
    summary: 'A --set assignment is not of the form path=value.',
    message: ({ text, reason }: { text: string; reason: string }) =>
      `cannot read the assignment ${quote(text)}: ${reason}`,
    hint: () => String.raw`write a.b[0].c=value; a dot inside a key is written \.`,
  },
  'set-conflict': {
    severity: 'error',
    summary: 'A --set assignment does not fit the values it would change.',
    message: ({ text, reason }: { text: string; reason: string }) =>
      `cannot apply the assignment ${quote(text)}: ${reason}`,
  },
  'values-not-a-mapping': {
    severity: 'error',
    summary: 'A values file holds something other than one mapping.',
    message: ({ found }: { found: string }) => `a values file holds one mapping, but this is ${found}`,
    hint: ({ text }: { text?: string | undefined }) =>
      text !== undefined && lacksColonSpace(text) ? 'put a space after the colon: `key: value`' : undefined,
  },
  'variable-undefined': {
    severity: 'error',
    summary: 'A variable has no value.',
    message: ({ variable }: { variable: string }) => `the variable ${quote(variable)} is not defined`,
    hint: ({ near, scopes }: { near: string | undefined; scopes: string | undefined }) =>
      near === undefined ? scopes : `did you mean \${${near}}?`,
  },
  'variable-syntax': {
    severity: 'error',
    summary: 'What stands between the braces of a variable is no path.',
    message: ({ variable }: { variable: string }) => `${quote(`\${${variable}}`)} is not a variable`,
    hint: () => 'between the braces stands the path of a value, and no operators; $${ stands for the text ${',
  },
  'variable-unclosed': {
    severity: 'error',
    summary: 'A variable begins and no brace closes it.',
    message: ({ text }: { text: string }) => `no "}" closes the variable in ${quote(text)}`,
    hint: () => '$${ stands for the text ${',
  },
  'variable-unsafe': {
    severity: 'error',
    summary: 'A variable makes a name that no field may have.',
    message: ({ text }: { text: string }) => `${quote(text)} becomes "__proto__", which cannot be a name`,
  },
  'variable-key-twice': {
    severity: 'error',
    summary: 'A variable makes the key of a field the same as that of another one.',
    message: ({ key, name }: { key: string; name: string }) =>
      key === name
        ? `the key ${quote(name)} is already in this mapping: a variable in another key becomes it`
        : `the key ${quote(key)} becomes ${quote(name)}, which is already in this mapping`,
  },
  'variable-not-scalar': {
    severity: 'error',
    summary: 'A variable stands for a mapping or list where only a text, number or boolean can be.',
    message: ({ variable, found }: { variable: string; found: string }) =>
      `the variable ${quote(variable)} is ${found}, and only a text, a number or a boolean can stand here`,
  },
  'variable-cycle': {
    severity: 'error',
    summary: 'The value of a variable leads back to itself.',
    message: ({ chain }: { chain: readonly string[] }) =>
      `variables refer to one another in a cycle: ${showChain(chain)}`,
  },
  'variable-too-large': {
    severity: 'error',
    summary: 'Variables in variables grow beyond any real text.',
    message: ({ variable, limit }: { variable: string; limit: number }) =>
      `the variable ${quote(variable)} becomes longer than ${limit} characters`,
  },
  'variables-too-large': {
    severity: 'error',
    summary: 'What variables put into a package is more than any real package holds.',
    message: ({ variable, limit }: { variable: string; limit: number }) =>
      `with the variable ${quote(variable)} all variables together put in more than ${limit} characters`,
  },
  'variable-too-deep': {
    severity: 'error',
    summary: 'A variable leads to its value through more other variables than are allowed.',
    message: ({ chain, limit }: { chain: readonly string[]; limit: number }) =>
      `${quote(chain[0]!)} leads through more than ${limit} variables: ${showChain(chain)}`,
    hint: () => 'refer to the value more directly, or allow more with --max-depth',
  },
  'parameter-too-large': {
    severity: 'error',
    summary: 'References in parameters grow beyond any real package.',
    message: ({ parameter, limit }: { parameter: string; limit: number }) =>
      `the parameter ${quote(parameter)} becomes more than ${limit} values`,
  },
  'parameter-too-deep': {
    severity: 'error',
    summary: 'References put mappings and lists into one another beyond any real package.',
    message: ({ parameter, limit }: { parameter: string; limit: number }) =>
      `the parameter ${quote(parameter)} becomes more than ${limit} mappings and lists deep`,
  },
  'parameter-respelled': {
    severity: 'warning',
    summary: 'A number or boolean in the middle of a text is not spelled there as it was written.',
    message: ({ variable, written, becomes }: { variable: string; written: string; becomes: string }) =>
      `the variable ${quote(variable)} was written ${written}, and becomes ${becomes} in this text`,
    hint: ({ written }: { written: string }) =>
      `only a text keeps its spelling: put it in quotes, "${written}", wherever the parameter is set`,
  },
  'parameter-shape-changed': {
    severity: 'warning',
    summary: 'A layer of values replaces a mapping by something else, or the other way round.',
    message: ({ parameter, before, after }: { parameter: string; before: string; after: string }) =>
      `${quote(parameter)} was ${before} and becomes ${after}`,
    hint: () => 'whatever refers to a parameter inside it will not find it',
  },
});

const mostShown = 20;

/** A chain may have as many names as a file has lines. */
function showChain(chain: readonly string[]): string {
  const names =
    chain.length <= mostShown ? chain : [...chain.slice(0, mostShown / 2), '…', ...chain.slice(-mostShown / 2)];
  return names.join(' → ');
}
