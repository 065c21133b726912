import { defineProblems, didYouMean, quote } from '../../diagnostics/index.ts';
import { useEach } from '../problems.ts';

interface Wanted {
  readonly wanted: string;
  readonly actual: string;
}

interface Near {
  readonly near: string | undefined;
}

/** Findings about declared parameters, their values and their uses. */
export const declaredProblems = defineProblems({
  'declaration-shape': {
    summary: 'A field of a parameter declaration has the wrong type.',
    message: ({ part, wanted, actual }: Wanted & { part: string }) => `${part} must be ${wanted}, got ${actual}`,
    hint: ({ remedy }: { remedy?: string | undefined }) => remedy,
    fix: 'Change the field in kurel.yaml to the type in the message. `kurel schema package` prints the JSON Schema of kurel.yaml for your editor.',
  },
  'declaration-key-unknown': {
    summary: 'A parameter declaration has an unknown field.',
    message: ({ key, part }: { key: string; part: string }) => `unknown field ${quote(key)} in ${part}`,
    hint: ({ near, allowed }: Near & { allowed: readonly string[] }) =>
      didYouMean(near) ?? `use one of ${allowed.join(', ')}`,
    fix: 'Correct the spelling of the field or remove it. Declarations support a part of JSON Schema: the hint lists the fields.',
  },
  'declaration-name-missing': {
    summary: 'A parameter declaration has no name.',
    message: ({ index }: { index: number }) => `required field "name" is missing in the parameter at index ${index}`,
    hint: () => 'add a name, such as `name: image`',
    fix: 'Add a name to the declaration, such as `name: image`.',
  },
  'declaration-name-invalid': {
    summary: 'The name of a parameter contains characters that are not allowed.',
    message: ({ name }: { name: string }) => `${quote(name)} is not a valid parameter name`,
    hint: () => 'start with a letter or "_" and continue with letters, digits, "_", "." and "-"',
    fix: 'Rename the parameter: start with a letter or "_" and continue with letters, digits, "_", "." and "-". Rename it in all references, too.',
  },
  'declaration-name-repeated': {
    summary: 'Two parameters have the same name.',
    message: ({ name }: { name: string }) => `duplicate parameter ${quote(name)}`,
    fix: 'Remove or rename one of the two declarations in kurel.yaml.',
  },
  'declaration-type-missing': {
    summary: 'A parameter declaration has no type.',
    message: ({ part }: { part: string }) => `required field "type" is missing in ${part}`,
    hint: ({ types }: { types: readonly string[] }) => `use one of ${types.join(', ')}`,
    fix: 'Add a type to the declaration, such as `type: string`.',
  },
  'declaration-type-unknown': {
    summary: 'A parameter declaration has an unknown type.',
    message: ({ type }: { type: string }) => `unknown type ${quote(type)}`,
    hint: ({ near, types }: Near & { types: readonly string[] }) =>
      didYouMean(near) ?? `use one of ${types.join(', ')}`,
    fix: 'Use one of the types string, integer, number, boolean, array and object.',
  },
  'declaration-rule-misplaced': {
    summary: 'A field of a parameter declaration does not apply to its type.',
    message: ({ key, type }: { key: string; type: string }) => `${quote(key)} does not apply to the type ${type}`,
    hint: ({ types }: { types: readonly string[] }) => `remove it, or change the type to ${types.join(' or ')}`,
    fix: 'Remove the field, or change the type of the parameter to one that the hint names.',
  },
  'declaration-pattern-invalid': {
    summary: 'The pattern of a parameter declaration is not a valid regular expression.',
    message: ({ pattern, reason }: { pattern: string; reason: string }) =>
      `${quote(pattern)} is not a valid pattern: ${reason}`,
    hint: ({ reason }: { reason: string }) =>
      /^an unknown (?:group|escape)$/.test(reason)
        ? 'write a regular expression without lookahead, lookbehind or back references'
        : undefined,
    fix: 'Write a regular expression without lookahead, lookbehind or back references, and put it in single quotes so that YAML keeps its backslashes.',
  },
  'declaration-range-empty': {
    summary: 'The minimum of a parameter is greater than its maximum.',
    message: ({ minimum, maximum }: { minimum: string; maximum: string }) =>
      `minimum ${minimum} is greater than maximum ${maximum}`,
    fix: 'Swap or correct minimum and maximum so that at least one value is allowed.',
  },
  'declaration-enum-invalid': {
    summary: 'A value in the enum of a declaration does not have the declared type.',
    message: ({ part, fault }: { part: string; fault: string }) => `a value in "enum" of ${part} ${fault}`,
    hint: ({ remedy }: { remedy: string | undefined }) => remedy,
    fix: 'Change the value in enum so that it has the declared type, or change the type.',
  },
  'default-invalid': {
    summary: 'The default of a parameter does not match its declaration.',
    message: ({ part, fault }: { part: string; fault: string }) => `the default of ${part} ${fault}`,
    hint: ({ remedy }: { remedy: string | undefined }) => remedy,
    fix: 'Change the default so that it has the declared type and satisfies the rules of the declaration.',
  },
  'value-set-structure': {
    summary: 'A --set assignment sets a parameter that is a list or an object.',
    message: ({ name, type }: { name: string; type: 'array' | 'object' }) =>
      `${quote(name)} is ${type === 'array' ? 'a list' : 'an object'}, which --set cannot set`,
    hint: ({ name }: { name: string }) => howToSet(name, true),
    fix: 'Write the list or object in a YAML file, and pass the file with --values FILE.',
  },
  'value-set-several': {
    severity: 'warning',
    summary: 'The value of a --set assignment looks like an assignment to another parameter.',
    message: ({ name, other }: { name: string; other: string }) =>
      `all of this becomes the value of ${quote(name)}, although ${quote(other)} is a parameter too`,
    hint: ({ parts }: { parts: readonly string[] }) => useEach(parts),
    fix: 'Pass --set once per parameter: --set a=1 --set b=2. If the comma is part of the value, ignore this warning or set the value in a file passed with --values.',
  },
  'application-documents': {
    summary: 'An application file has no document, or several.',
    message: ({ count }: { count: number }) =>
      count === 0 ? 'the file contains no application' : `an application file must have one document, got ${count}`,
    hint: ({ count }: { count: number }) => (count === 0 ? undefined : 'put each application in its own package'),
    fix: 'Write exactly one Application document in app.yaml. Put each further application in its own package directory.',
  },
});

/** How the user can set a parameter. */
export function howToSet(name: string, isStructure: boolean): string {
  if (isStructure) return `set ${name} in a values file and pass it with --values`;
  return `pass --set ${name}=…, or set it in a values file passed with --values`;
}
