import { defineProblems, quote } from '../../diagnostics/index.ts';

interface Wanted {
  readonly wanted: string;
  readonly found: string;
}

interface Near {
  readonly near: string | undefined;
}

/** What can be wrong with the parameters that a package declares, with their values, and with the places that use them. */
export const declaredProblems = defineProblems({
  'declaration-shape': {
    severity: 'error',
    summary: 'A part of a parameter declaration is not of the kind it must be.',
    message: ({ part, wanted, found }: Wanted & { part: string }) => `${part} must be ${wanted}, not ${found}`,
    hint: ({ remedy }: { remedy?: string | undefined }) => remedy,
  },
  'declaration-key-unknown': {
    severity: 'error',
    summary: 'A parameter declaration has a key that means nothing.',
    message: ({ key, part }: { key: string; part: string }) => `${part} has no key ${quote(key)}`,
    hint: ({ near, known }: Near & { known: readonly string[] }) =>
      near === undefined ? `the keys are ${known.join(', ')}` : `did you mean ${quote(near)}?`,
  },
  'declaration-name-missing': {
    severity: 'error',
    summary: 'A parameter declaration has no name.',
    message: ({ index }: { index: number }) => `the parameter at index ${index} has no name`,
    hint: () => 'add a name, such as `name: image`',
  },
  'declaration-name-invalid': {
    severity: 'error',
    summary: 'The name of a parameter has characters that no name may have.',
    message: ({ name }: { name: string }) => `${quote(name)} cannot be the name of a parameter`,
    hint: () => 'a name begins with a letter or "_" and goes on with letters, digits, "_", "." and "-"',
  },
  'declaration-name-repeated': {
    severity: 'error',
    summary: 'Two parameters have the same name.',
    message: ({ name }: { name: string }) => `the parameter ${quote(name)} is declared twice`,
  },
  'declaration-type-missing': {
    severity: 'error',
    summary: 'A parameter declaration has no type.',
    message: ({ part }: { part: string }) => `${part} has no type`,
    hint: ({ types }: { types: readonly string[] }) => `the types are ${types.join(', ')}`,
  },
  'declaration-type-unknown': {
    severity: 'error',
    summary: 'A parameter declaration names a type that does not exist.',
    message: ({ type }: { type: string }) => `there is no type ${quote(type)}`,
    hint: ({ near, types }: Near & { types: readonly string[] }) =>
      near === undefined ? `the types are ${types.join(', ')}` : `did you mean ${quote(near)}?`,
  },
  'declaration-rule-misplaced': {
    severity: 'error',
    summary: 'A rule of a parameter declaration says nothing about its type.',
    message: ({ key, type }: { key: string; type: string }) => `${quote(key)} says nothing about the type ${type}`,
    hint: ({ types }: { types: readonly string[] }) => `it is for the type ${types.join(' or ')}; leave it out here`,
  },
  'declaration-pattern-invalid': {
    severity: 'error',
    summary: 'A pattern of a parameter declaration cannot be read.',
    message: ({ pattern, reason }: { pattern: string; reason: string }) =>
      `${quote(pattern)} is not a pattern that can be checked: ${reason}`,
    hint: ({ reason }: { reason: string }) =>
      /^an unknown (?:group|escape)$/.test(reason)
        ? 'write a regular expression that does not look ahead, behind or back'
        : undefined,
  },
  'declaration-range-empty': {
    severity: 'error',
    summary: 'The smallest value that a parameter may have is above the largest.',
    message: ({ minimum, maximum }: { minimum: string; maximum: string }) =>
      `no value is at least ${minimum} and at most ${maximum}`,
  },
  'declaration-enum-invalid': {
    severity: 'error',
    summary: 'A value that a declaration allows is not of its type.',
    message: ({ part, fault }: { part: string; fault: string }) => `a value of the enum of ${part} ${fault}`,
    hint: ({ remedy }: { remedy: string | undefined }) => remedy,
  },
  'default-invalid': {
    severity: 'error',
    summary: 'The default of a parameter does not fit its declaration.',
    message: ({ part, fault }: { part: string; fault: string }) => `the default of ${part} ${fault}`,
    hint: ({ remedy }: { remedy: string | undefined }) => remedy,
  },
  'value-set-structure': {
    severity: 'error',
    summary: 'A --set assignment is for a parameter that is a list or a mapping.',
    message: ({ name, type }: { name: string; type: 'array' | 'object' }) =>
      `${quote(name)} is ${type === 'array' ? 'a list' : 'a mapping'}, which --set cannot give`,
    hint: ({ name }: { name: string }) => howToSet(name, true),
  },
  'value-set-several': {
    severity: 'warning',
    summary: 'What a --set assignment gives to one parameter looks like an assignment to another one as well.',
    message: ({ name, other }: { name: string; other: string }) =>
      `all of this becomes the value of ${quote(name)}, although ${quote(other)} is a parameter too`,
    hint: () => 'give --set once for each parameter',
  },
  'application-documents': {
    severity: 'error',
    summary: 'An application file holds no document, or several.',
    message: ({ count }: { count: number }) =>
      count === 0 ? 'this file has no application in it' : `an application is one document, and here are ${count}`,
    hint: ({ count }: { count: number }) => (count === 0 ? undefined : 'put each application in a package of its own'),
  },
});

/** How a user gives a parameter its value. */
export function howToSet(name: string, isStructure: boolean): string {
  if (isStructure) return `write ${name}: in a values file and give it with --values`;
  return `give it with --set ${name}=… or in a values file with --values`;
}
