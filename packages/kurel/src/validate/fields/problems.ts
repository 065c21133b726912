import { nearest, quote } from '../../diagnostics/index.ts';

export interface FieldArgs {
  /** As messages name it, quotes included: `"args[1]"`. */
  readonly field: string;
}

export interface UnknownFieldArgs {
  readonly name: string;
  readonly holder: string;
  readonly known: readonly string[];
  /** Where a field of this name is known, close by. Searched only for findings that are kept. */
  readonly elsewhere: () => string | undefined;
}

export interface EnumArgs extends FieldArgs {
  readonly found: string;
  readonly allowed: readonly string[];
  /** Which are not written in quotes. */
  readonly isOfNumbers?: boolean | undefined;
}

export interface AlternativesArgs extends FieldArgs {
  readonly demand: string;
  readonly reasons: readonly string[];
}

export interface NullItemArgs extends FieldArgs {
  /** What the API server reads: `an empty mapping`. */
  readonly taken: string;
  readonly required: readonly string[];
}

const fewNames = 10;

/** What schemas alone can tell. */
export const fieldProblems = {
  'field-unknown': {
    severity: 'error',
    summary: 'An object has a field that its kind does not have.',
    message: ({ name, holder }: UnknownFieldArgs) => `field ${quote(name)} is unknown in ${holder}`,
    hint: ({ name, known, elsewhere }: UnknownFieldArgs) => {
      const near = nearest(name, known);
      if (near !== undefined && near.toLowerCase() === name.toLowerCase()) return `did you mean ${quote(near)}?`;
      const place = elsewhere();
      if (place !== undefined) return `${quote(name)} belongs in ${place}`;
      if (near !== undefined) return `did you mean ${quote(near)}?`;
      return known.length > 0 && known.length <= fewNames ? `the fields here are ${known.join(', ')}` : undefined;
    },
  },
  'field-type': {
    severity: 'error',
    summary: 'A field holds something of the wrong type.',
    message: ({ field, expected, found }: FieldArgs & { readonly expected: string; readonly found: string }) =>
      `${field} must be ${expected}, but is ${found}`,
    hint: ({ advice }: { readonly advice: string | undefined }) => advice,
  },
  'field-required': {
    severity: 'error',
    summary: 'A field that must be there is missing.',
    message: ({ name, holder }: { readonly name: string; readonly holder: string }) =>
      `required field ${quote(name)} is missing in ${holder}`,
    hint: ({ name, expected }: { readonly name: string; readonly expected: string | undefined }) =>
      expected === undefined ? undefined : `add ${quote(name)}, ${expected}`,
  },
  'field-enum': {
    severity: 'error',
    summary: 'A field holds a word that is not one of those it may hold.',
    message: ({ field, found, allowed, isOfNumbers }: EnumArgs) =>
      `${field} must be ${listWords(isOfNumbers === true ? allowed : allowed.map(quote), 'or')}, but is ${found}`,
    hint: ({ word, allowed }: { readonly word: string | undefined; readonly allowed: readonly string[] }) => {
      const near = word === undefined ? undefined : nearest(word, allowed);
      return near === undefined ? undefined : `did you mean ${quote(near)}?`;
    },
  },
  'field-format': {
    severity: 'error',
    summary: 'A text or number is not written the way its field wants it: a date, a quantity, an address.',
    message: ({ field, expected, found }: FieldArgs & { readonly expected: string; readonly found: string }) =>
      `${field} must be ${expected}, but is ${found}`,
    hint: ({ advice }: { readonly advice?: string | undefined }) => advice,
  },
  'field-value': {
    severity: 'error',
    summary: 'A value is too small, too large, too long, too short, or does not fit the pattern of its field.',
    message: ({ field, demand, found }: FieldArgs & { readonly demand: string; readonly found: string }) =>
      `${field} must ${demand}, but ${found}`,
    hint: ({ advice }: { readonly advice?: string | undefined }) => advice,
  },
  'field-alternatives': {
    severity: 'error',
    summary: 'A value fits none, or too many, of the forms that its schema allows.',
    message: ({ field, demand }: AlternativesArgs) => `${field} must ${demand}`,
    hint: ({ reasons }: AlternativesArgs) =>
      reasons.length === 0
        ? undefined
        : reasons
            .slice(0, mostListed)
            .map((reason, index) => `form ${index + 1}: ${reason}`)
            .join('\n'),
  },
  'field-deprecated': {
    severity: 'note',
    summary: 'A field still works and is going away.',
    message: ({ field }: FieldArgs) => `${field} is deprecated`,
    hint: ({ words }: { readonly words: string }) => words.replace(/^deprecated[:.]\s+/i, ''),
  },
  'list-duplicate': {
    severity: 'error',
    summary: 'Two items of a list have the same key, or a list of distinct values has one twice.',
    message: ({ list, what }: { readonly list: string; readonly what: string }) => `${list} has ${what} twice`,
    hint: ({ advice }: { readonly advice?: string }) => advice,
  },
  'list-item-null': {
    severity: 'warning',
    summary: 'An item of a list is null, which Kubernetes takes for an empty one. An error when that is refused.',
    message: ({ field, taken, required }: NullItemArgs) =>
      required.length === 0
        ? `${field} is null, which Kubernetes takes for ${taken}`
        : `${field} is null, but must have ${listWords(required.map(quote), 'and')}`,
    hint: () => 'write the item, or take it out',
  },
  'object-too-deep': {
    severity: 'error',
    summary: 'An object is nested deeper than any real one.',
    message: ({ limit }: { readonly limit: number }) => `the object is nested deeper than ${limit} levels`,
  },
  'rule-failed': {
    severity: 'error',
    summary: 'A rule of a CustomResourceDefinition (x-kubernetes-validations) does not hold.',
    message: ({ field, message }: FieldArgs & { readonly message: string }) => `${field} is refused: ${message}`,
    hint: ({ rule, message }: { readonly rule: string; readonly message: string }) =>
      message.includes(rule) ? undefined : `the rule is: ${rule}`,
  },
  'rule-not-checked': {
    severity: 'note',
    summary: 'A rule or pattern of a CustomResourceDefinition cannot be checked here; only an API server can tell.',
    message: ({ rule, kind, reason }: { readonly rule: string; readonly kind: string; readonly reason: string }) =>
      `rule ${quote(rule)} of ${kind} is not checked: ${reason}`,
  },
} as const;

// Schemas of packages may allow thousands of words.
export const mostListed = 50;

/** `a`, `a or b`, `a, b or c`. The words may be the first of more. */
export function listWords(words: readonly string[], link: 'and' | 'or', count = words.length): string {
  if (count > mostListed) return `${words.slice(0, mostListed).join(', ')} ${link} ${count - mostListed} more`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}`;
}
