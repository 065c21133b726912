import { defineProblems, pass, quote, sentence, setting } from '../../diagnostics/index.ts';
import type { Message } from '../../model/index.ts';
import { useEach } from '../problems.ts';

/** Findings about declared parameters, their values and their uses. */
export const declaredProblems = defineProblems(() => ({
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
  'value-set-structure': {
    summary: sentence`A ${setting('set')} assignment sets a whole parameter that is a list or an object, or a part of one whose default has references.`,
    message: ({ name, type }: { name: string; type: 'array' | 'object' }) =>
      sentence`${quote(name)} is ${type === 'array' ? 'a list' : 'an object'}, which ${setting('set')} cannot set`,
    hint: ({ name }: { name: string }) => howToSet(name, true),
    fix: sentence`Write the list or object in a YAML file, and pass the file with ${setting('values', 'FILE')}. To set one part, write ${setting('set', 'list[0]=…')} or ${setting('set', 'object.key=…')}.`,
  },
  'value-set-several': {
    severity: 'warning',
    summary: sentence`The value of a ${setting('set')} assignment looks like an assignment to another parameter.`,
    message: ({ name, other, isKnown }: { name: string; other: string; isKnown: boolean }) =>
      `all of this becomes the value of ${quote(name)}${isKnown ? `, although ${quote(other)} is a parameter too` : ''}`,
    hint: ({ parts }: { parts: readonly string[] }) => useEach(parts),
    fix: sentence`Pass ${setting('set')} once per parameter: ${setting('set', 'a=1')} ${setting('set', 'b=2')}. If the comma is part of the value, ignore this warning or set the value in a file passed with ${setting('values')}.`,
  },
  'application-documents': {
    summary: 'An application file has no document, or several.',
    message: ({ count }: { count: number }) =>
      count === 0 ? 'the file contains no application' : `an application file must have one document, got ${count}`,
    hint: ({ count }: { count: number }) => (count === 0 ? undefined : 'put each application in its own package'),
    fix: 'Write exactly one Application document in app.yaml. Put each further application in its own package directory.',
  },
}));

/** How the user can set a parameter. */
export function howToSet(name: string, isStructure: boolean): Message {
  if (isStructure) return sentence`set ${name} in a values file and pass it with ${setting('values')}`;
  return sentence`${pass('set', `${name}=…`)}, or set it in a values file passed with ${setting('values')}`;
}
