import { defineProblems, nearest, quote } from '../../diagnostics/index.ts';
import { listWords, mostListed } from './names.ts';

/** A hint; a function where it takes some work, for only findings that are kept need one. */
export type Advice = string | (() => string | undefined);

/** A value that its field does not take. */
export interface Mismatch {
  /** As messages name it: `replicas`, `args[1]`. */
  readonly field: string;
  /** What follows the field: `must be at least 1`. */
  readonly demand: string;
  readonly found?: string | undefined;
  /** What its author wrote, which messages quote instead: `1.10`, where 1.1 was read. */
  readonly written?: (() => string | undefined) | undefined;
  readonly advice?: Advice | undefined;
  /** The whole message, where a specification prescribes it. */
  readonly prescribed?: string | undefined;
}

/** What a schema describes: fields of objects and documents, or parameters of a package. */
export type Noun = 'field' | 'parameter';

export interface UnknownArgs {
  readonly noun: Noun;
  readonly name: string;
  /** What it is unknown in; left out where the name is a whole path. */
  readonly holder: string | undefined;
  readonly known: readonly string[] | undefined;
  /** Where a field of this name is known, close by. Searched only for findings that are kept. */
  readonly elsewhere?: (() => string | undefined) | undefined;
  /** The field close by that takes any key. */
  readonly free?: (() => string | undefined) | undefined;
  /** Takes the place of all other advice. */
  readonly advice?: string | undefined;
}

export interface RequiredArgs {
  readonly noun: Noun;
  readonly name: string;
  readonly holder: string | undefined;
  readonly description?: string | undefined;
  readonly advice: Advice | undefined;
}

export interface AlternativesArgs {
  readonly field: string;
  readonly demand: string;
  readonly reasons: readonly string[];
}

export interface NullItemArgs {
  readonly field: string;
  /** What the API server reads: `an empty object`; absent where null is refused. */
  readonly taken: string | undefined;
  readonly required: readonly string[];
}

const fewNames = 40;

function describeMismatch({ field, demand, found, written, prescribed }: Mismatch): string {
  return prescribed ?? `${field} ${demand}${found === undefined ? '' : `, got ${written?.() ?? found}`}`;
}

function adviseMismatch({ advice }: Mismatch): string | undefined {
  return readAdvice(advice);
}

function readAdvice(advice: Advice | undefined): string | undefined {
  return typeof advice === 'function' ? advice() : advice;
}

/** What a schema can say about a value. The same mistake has the same code wherever the schema comes from. */
export const valueProblems = defineProblems({
  'field-unknown': {
    severity: 'error',
    summary: 'A field, property or parameter is not one that its schema has.',
    message: ({ noun, name, holder }: UnknownArgs) =>
      `unknown ${noun} ${quote(name)}${holder === undefined ? '' : ` in ${holder}`}`,
    hint: ({ noun, name, known, elsewhere, free, advice }: UnknownArgs) => {
      if (advice !== undefined || known === undefined) return advice;
      const near = nearest(name, known);
      if (near !== undefined && near.toLowerCase() === name.toLowerCase()) return `did you mean ${quote(near)}?`;
      const place = elsewhere?.();
      if (place !== undefined) return `${quote(name)} belongs in ${place}`;
      if (near !== undefined) return `did you mean ${quote(near)}?`;
      if (known.length === 0) return noun === 'field' ? 'there are no fields here' : 'the package has no parameters';
      if (known.length > fewNames) return undefined;
      const others = free?.();
      return `the ${noun}s here are ${known.join(', ')}${others === undefined ? '' : `; others belong in ${others}`}`;
    },
  },
  'field-type': {
    severity: 'error',
    summary: 'A value has the wrong type.',
    message: describeMismatch,
    hint: adviseMismatch,
  },
  'field-required': {
    severity: 'error',
    summary: 'A required field, property or parameter is missing.',
    message: ({ noun, name, holder, description }: RequiredArgs) => {
      const place = holder === undefined ? '' : ` in ${holder}`;
      return `required ${noun} ${quote(name)} is missing${place}${description === undefined ? '' : `: ${description}`}`;
    },
    hint: ({ advice }: RequiredArgs) => readAdvice(advice),
  },
  'field-enum': {
    severity: 'error',
    summary: 'A value is not one of the allowed ones, or is set where it is not allowed.',
    message: describeMismatch,
    hint: adviseMismatch,
  },
  'field-range': {
    severity: 'error',
    summary: 'A number is too small or too large, or a string, list or object is too short or too long.',
    message: describeMismatch,
    hint: adviseMismatch,
  },
  'field-format': {
    severity: 'error',
    summary: 'A value or key does not match its format or pattern: a name, a date, a quantity, an address.',
    message: describeMismatch,
    hint: adviseMismatch,
  },
  'field-alternatives': {
    severity: 'error',
    summary: 'A value fits none, or too many, of the forms that its schema allows, or one that it forbids.',
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
    message: ({ field }: { readonly field: string }) => `${field} is deprecated`,
    hint: ({ words }: { readonly words: string }) => words.replace(/^deprecated[:.]\s+/i, ''),
  },
  'list-duplicate': {
    severity: 'error',
    summary: 'Two items of a list have the same key, or a list of distinct values has one twice.',
    message: ({ list, what }: { readonly list: string; readonly what: string }) => `${list} has ${what} twice`,
    hint: ({ advice }: { readonly advice?: string }) => advice,
  },
  'list-item-null': {
    severity: 'error',
    summary: 'An item of a list is null. A warning where Kubernetes takes it for an empty one.',
    message: ({ field, taken, required }: NullItemArgs) => {
      if (required.length > 0) return `${field} is null, but must have ${listWords(required.map(quote), 'and')}`;
      return taken === undefined ? `${field} is null` : `${field} is null, which Kubernetes takes for ${taken}`;
    },
    hint: () => 'write the item, or take it out',
  },
  'object-too-deep': {
    severity: 'error',
    summary: 'A value is nested deeper than any real one.',
    message: ({ limit }: { readonly limit: number }) => `the object is nested deeper than ${limit} levels`,
  },
  'schema-too-complex': {
    severity: 'error',
    summary: 'A schema of parameters takes more work than values could ever need.',
    message: () => 'the schema of the parameters is too complex to check values against it',
  },
  'rule-not-checked': {
    severity: 'note',
    summary: 'A rule or pattern of a CustomResourceDefinition cannot be checked here; only an API server can tell.',
    message: ({ rule, kind, reason }: { readonly rule: string; readonly kind: string; readonly reason: string }) =>
      `rule ${quote(rule)} of ${kind} is not checked: ${reason}`,
  },
});

export type ValueCode = keyof typeof valueProblems.definitions;

/** A code and what its message needs. */
export type ValueFinding = {
  readonly [Code in ValueCode]: readonly [code: Code, args: Parameters<typeof valueProblems.create<Code>>[1]];
}[ValueCode];

interface Missing {
  readonly name: string;
  readonly holder: string;
  readonly expected: string | undefined;
}

export function missingField({ name, holder, expected }: Missing): RequiredArgs {
  return {
    noun: 'field',
    name,
    holder,
    advice: expected === undefined ? undefined : `add ${quote(name)}, ${expected}`,
  };
}

interface NotAllowed {
  readonly field: string;
  readonly found: string;
  readonly allowed: readonly string[];
  /** What may be a slip in one of the allowed. */
  readonly word: string | undefined;
}

export function notAllowed({ field, found, allowed, word }: NotAllowed): Mismatch {
  const advice = (): string | undefined => {
    const near = word === undefined ? undefined : nearest(word, allowed);
    return near === undefined ? undefined : `did you mean ${quote(near)}?`;
  };
  return { field, demand: `must be ${listWords(allowed.map(quote), 'or')}`, found, advice };
}
