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
  'reference-undefined': {
    severity: 'error',
    summary: 'A reference is to a parameter, or a part of one, that does not exist.',
    message: ({ reference }: { reference: string }) => `the parameter ${quote(reference)} is not defined`,
    hint: ({ near, advice }: { near: string | undefined; advice?: string | undefined }) =>
      near === undefined ? advice : `did you mean \${${near}}?`,
  },
  'reference-unset': {
    severity: 'error',
    summary: 'A reference is to a declared parameter that has no value and no default.',
    message: ({ reference }: { reference: string }) => `the parameter ${quote(reference)} has no value here`,
    hint: ({ advice }: { advice: string }) => advice,
  },
  'reference-syntax': {
    severity: 'error',
    summary: 'The text between the braces of a reference is not a path.',
    message: ({ reference }: { reference: string }) => `${quote(`\${${reference}}`)} is not a reference`,
    hint: () => 'write the path of a parameter between the braces, without operators; $${ is a literal ${',
  },
  'reference-unclosed': {
    severity: 'error',
    summary: 'A reference begins and no brace closes it. A warning where the string can stay as it is.',
    message: ({ text }: { text: string }) => `no "}" closes the reference in ${quote(text)}`,
    hint: () => 'close it, as in ${name}; $${ is a literal ${',
  },
  'reference-unsafe': {
    severity: 'error',
    summary: 'A reference makes a name that no field may have.',
    message: ({ text }: { text: string }) => `${quote(text)} becomes "__proto__", which cannot be a name`,
  },
  'reference-in-key': {
    severity: 'error',
    summary: 'A key of an application or of a default has a reference in it.',
    message: ({ key }: { key: string }) => `the key ${quote(key)} has a reference in it, and keys are never replaced`,
    hint: () => 'make the whole object a parameter of type object, or write $${ for a literal ${',
  },
  'reference-key-twice': {
    severity: 'error',
    summary: 'A reference makes the key of a field the same as that of another one.',
    message: ({ key, name }: { key: string; name: string }) =>
      key === name
        ? `the key ${quote(name)} is already in this object: a reference in another key becomes it`
        : `the key ${quote(key)} becomes ${quote(name)}, which is already in this object`,
  },
  'reference-not-scalar': {
    severity: 'error',
    summary: 'A reference is to an object or list where only a string, number or boolean is allowed.',
    message: ({ reference, found }: { reference: string; found: string }) =>
      `the parameter ${quote(reference)} is ${found}, and only a string, a number or a boolean can be used here`,
    hint: ({ reference, isPart }: { reference: string; isPart: boolean }) =>
      isPart ? `let \${${reference}} be the whole value` : undefined,
  },
  'reference-cycle': {
    severity: 'error',
    summary: 'The value of a parameter refers back to itself.',
    message: ({ chain }: { chain: readonly string[] }) =>
      `parameters refer to one another in a cycle: ${showChain(chain)}`,
  },
  'reference-too-deep': {
    severity: 'error',
    summary: 'A reference leads to its value through more other parameters than are allowed.',
    message: ({ chain, limit }: { chain: readonly string[]; limit: number }) =>
      `${quote(chain[0]!)} leads through more than ${limit} parameters: ${showChain(chain)}`,
    hint: () => 'refer to the value more directly, or allow more with --max-depth',
  },
  'parameter-too-deep': {
    severity: 'error',
    summary: 'References nest objects and lists deeper than any file may.',
    message: ({ reference, limit }: { reference: string; limit: number }) =>
      `with the parameter ${quote(reference)} more than ${limit} objects and lists are nested here`,
  },
  'parameter-shape-changed': {
    severity: 'warning',
    summary: 'A layer of values replaces a mapping by something else, or the other way round.',
    message: ({ parameter, before, after }: { parameter: string; before: string; after: string }) =>
      `${quote(parameter)} was ${before} and becomes ${after}`,
    hint: ({ parameter, after }: { parameter: string; after: string }) =>
      after === 'a mapping'
        ? `whatever refers to \${${parameter}} gets the mapping`
        : 'whatever refers to a parameter inside it will not find it',
  },
});

const mostShown = 20;

/** A chain may have as many names as a file has lines. */
function showChain(chain: readonly string[]): string {
  const names =
    chain.length <= mostShown ? chain : [...chain.slice(0, mostShown / 2), '…', ...chain.slice(-mostShown / 2)];
  return names.join(' → ');
}
