import {
  countNoun,
  defineProblems,
  didYouMean,
  joinMessages,
  pass,
  quote,
  sentence,
  setting,
} from '../diagnostics/index.ts';
import type { Message } from '../model/index.ts';
import { lacksColonSpace } from '../yaml/index.ts';

/** `use --set a=1 --set b=2` */
export function useEach(assignments: readonly string[]): Message {
  return sentence`use ${joinMessages(
    assignments.map((text) => setting('set', text)),
    ' ',
  )}`;
}

export const parameterProblems = defineProblems(() => ({
  'set-syntax': {
    summary: sentence`A ${setting('set')} assignment does not have the form path=value.`,
    message: ({ text, reason }: { text: string; reason: Message }) =>
      sentence`${quote(text)} is not a valid assignment: ${reason}`,
    hint: ({ parts }: { parts?: readonly string[] | undefined }) =>
      parts === undefined
        ? String.raw`write a.b[0].c=value, and \. for a dot inside a key`
        : sentence`${useEach(parts)}; if it is one value, use ${setting('setString')}`,
    fix: sentence`Write the assignment as ${setting('set', 'a.b[0].c=value')}, and \\. for a dot inside a key. Quote it for the shell if it contains brackets, spaces or other special characters, and ${pass('set')} once per assignment.`,
  },
  'set-conflict': {
    summary: sentence`A ${setting('set')} assignment conflicts with the existing values.`,
    message: ({ text, reason }: { text: string; reason: string }) =>
      `cannot apply the assignment ${quote(text)}: ${reason}`,
    fix: sentence`Compare the path of the assignment with the values of the package. Set the whole parameter in a file passed with ${setting('values')} if you want to change its type.`,
  },
  'values-not-a-mapping': {
    summary: 'A values file is not a single object.',
    message: ({ file = 'a values file', actual }: { file?: string | undefined; actual: string }) =>
      `${file} must be an object, got ${actual}`,
    hint: ({ text }: { text?: string | undefined }) =>
      text !== undefined && lacksColonSpace(text) ? 'put a space after the colon: `key: value`' : undefined,
    fix: sentence`Write the file as one YAML document with \`name: value\` entries. Pass ${setting('values')} once per file if you have several.`,
  },
  'values-encrypted': {
    summary: 'A values file is encrypted with SOPS.',
    message: ({ file = 'a values file' }: { file?: string | undefined }) =>
      `${file} is encrypted with SOPS, and kurel has no keys to decrypt it`,
    hint: () => 'decrypt it for the build: sops exec-file FILE "kurel build PATH --values {}"',
    fix: 'Decrypt the values for the build, as in `sops exec-file secrets.yaml "kurel build shop.kurel --values {}"`. The result contains them in clear text, so encrypt Secrets instead of values if you keep the result in git.',
  },
  'parameter-unused': {
    severity: 'warning',
    isBrief: true,
    summary: 'A package has a parameter that is never referenced.',
    message: ({ name }: { name: string }) => `parameter ${quote(name)} is never used`,
    hint: ({ name, where }: { name: string; where: string }) => `use \${${name}} in ${where}, or remove the parameter`,
    fix: 'Reference the parameter in app.yaml, in a patch, or in another parameter, or remove it from kurel.yaml or parameters.yaml.',
  },
  'reference-undefined': {
    summary: 'A reference names a parameter, or a part of one, that does not exist.',
    message: ({ reference }: { reference: string }) => `parameter ${quote(reference)} does not exist`,
    hint: ({ near, advice }: { near: string | undefined; advice?: Message | undefined }) =>
      didYouMean(near, (name) => `\${${name}}`) ?? advice,
    fix: 'Correct the name between the braces, or declare the parameter. Write $${ for a literal ${, for example in shell scripts.',
  },
  'reference-unset': {
    summary: 'A reference names a declared parameter that has no value and no default.',
    message: ({ reference }: { reference: string }) => `parameter ${quote(reference)} has no value`,
    hint: ({ advice }: { advice: Message }) => advice,
    fix: sentence`Set the parameter with ${setting('set', 'NAME=VALUE')} or in a file passed with ${setting('values')}, or add a default to its declaration.`,
  },
  'reference-syntax': {
    summary: 'The text between the braces of a reference is not a path.',
    message: ({ reference }: { reference: string }) => `${quote(`\${${reference}}`)} is not a valid reference`,
    hint: () => 'write the path of a parameter between the braces, without operators, or $${ for a literal ${',
    fix: 'Write only the path of a parameter between the braces, for example ${image.tag}. References have no operators or functions; write $${ for a literal ${.',
  },
  'reference-unclosed': {
    summary: 'A reference has no closing brace.',
    message: ({ text }: { text: string }) => `the reference in ${quote(text)} has no closing "}"`,
    hint: () => 'close it, as in ${name}, or write $${ for a literal ${',
    fix: 'Add the closing brace, as in ${name}. If the string contains a literal ${, write $${.',
  },
  'reference-unsafe': {
    summary: 'A reference produces the key `__proto__`, which is not allowed.',
    message: ({ text }: { text: string }) => `${quote(text)} becomes "__proto__", which is not allowed as a key`,
    fix: 'Use another value for the parameter, or another key.',
  },
  'reference-in-key': {
    summary: 'A key in an application or in a default contains a reference.',
    message: ({ key }: { key: string }) =>
      `the key ${quote(key)} contains a reference, which is only allowed in values`,
    hint: () => 'declare a parameter of type object for the whole object, or write $${ for a literal ${',
    fix: 'Declare a parameter of type object and use it as the value that contains the key. Write $${ if the key contains a literal ${.',
  },
  'reference-key-twice': {
    summary: 'A reference turns a key into a duplicate of another key.',
    message: ({ key, name }: { key: string; name: string }) =>
      key === name
        ? `duplicate key ${quote(name)}: a reference in another key becomes it`
        : `duplicate key ${quote(name)}: ${quote(key)} becomes it`,
    fix: 'Change the value of the parameter, or rename one of the two keys.',
  },
  'reference-not-scalar': {
    summary: 'A reference inserts an object or list where only a string, number or boolean is allowed.',
    message: ({ reference, actual }: { reference: string; actual: string }) =>
      `parameter ${quote(reference)} must be a string, a number or a boolean here, got ${actual}`,
    hint({ reference, actual, isPart }: { reference: string; actual: string; isPart: boolean }) {
      if (actual === 'null') return `set ${reference} to a string, a number or a boolean`;
      return isPart
        ? `make \${${reference}} the whole value, or write $\${${reference}} for the text itself`
        : undefined;
    },
    fix: 'Refer to a part of the parameter that is a string, number or boolean, such as ${admin.user}. To insert an object or a list, make the reference the whole value of a field.',
  },
  'reference-cycle': {
    summary: 'The value of a parameter refers back to itself.',
    message: ({ chain }: { chain: readonly string[] }) =>
      `parameters refer to each other in a cycle: ${showChain(chain)}`,
    fix: 'Set one of the parameters in the cycle to a value without a reference.',
  },
  'reference-too-deep': {
    summary: 'A reference goes through too many other parameters.',
    message: ({ chain, limit }: { chain: readonly string[]; limit: number }) =>
      `${quote(chain[0]!)} goes through more than ${countNoun(limit, 'parameter')}: ${showChain(chain)}`,
    hint: () => sentence`refer to the value more directly, or raise ${setting('maxDepth')}`,
    fix: sentence`Refer to the parameter with the value directly instead of through others, or raise the limit with ${setting('maxDepth', 'N')}.`,
  },
  'parameter-too-deep': {
    summary: 'References nest objects and lists too deeply.',
    message: ({ reference, limit }: { reference: string; limit: number }) =>
      `with parameter ${quote(reference)}, objects and lists are nested more than ${limit} levels deep`,
    fix: 'Insert smaller parts of the parameter, or nest the values less deeply.',
  },
  'parameter-shape-changed': {
    severity: 'warning',
    summary: 'A layer of values replaces an object with another type, or the other way round.',
    message: ({ parameter, before, after }: { parameter: string; before: string; after: string }) =>
      `${quote(parameter)} changes from ${before} to ${after}`,
    hint: ({ parameter, after }: { parameter: string; after: string }) =>
      after === 'an object'
        ? `check references to \${${parameter}}, which now get the object`
        : 'check references to parameters inside it, which no longer exist',
    fix: 'Keep the type of the parameter that the package uses. If the change is intended, check every reference to the parameter.',
  },
}));

const mostShown = 20;

/** Shortens the chain, which may have as many names as a file has lines. */
function showChain(chain: readonly string[]): string {
  const names =
    chain.length <= mostShown ? chain : [...chain.slice(0, mostShown / 2), '…', ...chain.slice(-mostShown / 2)];
  return names.join(' → ');
}
