import { defineProblems, didYouMean, nearest, quote, sentence, setting } from '../../diagnostics/index.ts';
import { listWords, mostListed } from './names.ts';
import type { Message } from '../../model/index.ts';

/** A hint; a function if it is expensive to create, because only the findings that are kept need one. */
export type Advice = Message | (() => Message | undefined);

/** A value that its field does not allow. */
export interface Mismatch {
  /** Name for messages: `replicas`, `args[1]`. */
  readonly field: string;
  /** The text after the field: `must be at least 1`. */
  readonly demand: string;
  readonly found?: string | undefined;
  /** The value as written, which messages quote instead: `1.10` if 1.1 was read. */
  readonly written?: (() => string | undefined) | undefined;
  readonly advice?: Advice | undefined;
  /** The complete message, if a specification prescribes it. */
  readonly prescribed?: string | undefined;
}

/** What the schema describes: fields of objects and documents, or parameters of a package. */
export type Noun = 'field' | 'parameter';

export interface UnknownArgs {
  readonly noun: Noun;
  readonly name: string;
  /** The parent object; absent if the name is a full path. */
  readonly holder: string | undefined;
  readonly known: readonly string[] | undefined;
  /** Where a field with this name exists nearby. Searched only for findings that are kept. */
  readonly elsewhere?: (() => string | undefined) | undefined;
  /** A field nearby that allows any key. */
  readonly free?: (() => string | undefined) | undefined;
  /** Overrides all other advice. */
  readonly advice?: string | undefined;
  /** How to print the known names, if there are too many. */
  readonly listing?: string | undefined;
}

export interface RequiredArgs {
  readonly noun: Noun;
  readonly name: string;
  readonly holder: string | undefined;
  readonly description?: string | undefined;
  readonly advice: Advice | undefined;
}

export interface NullItemArgs {
  readonly field: string;
  /** How the API server reads it: `an empty object`; absent if null is rejected. */
  readonly taken: string | undefined;
  readonly required: readonly string[];
}

export interface FieldsArgs {
  /** The object as messages name it. */
  readonly holder: string;
  readonly fields: readonly string[];
  readonly advice?: string | undefined;
}

export interface RequireArgs extends Omit<FieldsArgs, 'fields'> {
  readonly field: string;
  readonly require: string;
}

const fewNames = 40;

const mismatch = {
  message: ({ field, demand, found: shown, written, prescribed }: Mismatch) =>
    prescribed ?? `${field} ${demand}${shown === undefined ? '' : `, got ${written?.() ?? shown}`}`,
  hint: ({ advice }: Mismatch) => readAdvice(advice),
};

function readAdvice(advice: Advice | undefined): Message | undefined {
  return typeof advice === 'function' ? advice() : advice;
}

/** Findings about values. The same mistake has the same code for all sources of schemas. */
export const valueProblems = defineProblems(() => ({
  'field-unknown': {
    summary: 'A field, property or parameter does not exist in its schema.',
    message: ({ noun, name, holder }: UnknownArgs) =>
      `unknown ${noun} ${quote(name)}${holder === undefined ? '' : ` in ${holder}`}`,
    hint: ({ noun, name, known: names, elsewhere, free, advice, listing }: UnknownArgs) => {
      if (advice !== undefined || names === undefined) return advice;
      const [parent, ...parts] = name.split('.');
      if (parts.length > 0 && names.includes(parent!)) {
        return `nest the fields: ${parent!}: ${parts.reduceRight((inside, part) => `{${part}: ${inside}}`, '…')}`;
      }
      const near = nearest(name, names);
      if (near?.toLowerCase() === name.toLowerCase()) return didYouMean(near);
      const place = elsewhere?.();
      if (place !== undefined) return `move ${quote(name)} to ${place}`;
      if (near !== undefined) return didYouMean(near);
      if (names.length === 0)
        return noun === 'field' ? 'remove it; no fields are allowed here' : 'remove it; the package has no parameters';
      if (names.length > fewNames) return listing;
      const others = free?.();
      const choice = names.length === 1 ? names[0]! : `one of ${names.join(', ')}`;
      return `use ${choice}${others === undefined ? '' : `, or move it to ${others}`}`;
    },
    fix: 'Correct the spelling of the field, move it to the object that has it, or remove it. `kurel schema show KIND.FIELD` lists the fields of a kind.',
  },
  'field-type': {
    ...mismatch,
    summary: 'A value has the wrong type.',
    fix: 'Write a value of the type that the message names. Quote numbers and booleans that must be strings, and remove the quotes from those that must not; `kurel schema show KIND.FIELD` shows the type.',
  },
  'field-required': {
    summary: 'A required field, property or parameter is missing.',
    message: ({ noun, name, holder, description }: RequiredArgs) => {
      const place = holder === undefined ? '' : ` in ${holder}`;
      return `required ${noun} ${quote(name)} is missing${place}${description === undefined ? '' : `: ${description}`}`;
    },
    hint: ({ advice }: RequiredArgs) => readAdvice(advice),
    fix: sentence`Add the field, or set the parameter with ${setting('set', 'NAME=VALUE')} or in a file passed with ${setting('values')}.`,
  },
  'field-enum': {
    ...mismatch,
    summary: 'A value is not one of the allowed values, or is set where it is not allowed.',
    fix: 'Use one of the values that the message lists; upper and lower case matter.',
  },
  'field-range': {
    ...mismatch,
    summary: 'A number is too small or too large, or a string, list or object is too short or too long.',
    fix: 'Change the value so that it is within the limit in the message.',
  },
  'field-format': {
    ...mismatch,
    summary: 'A value or key does not match its format or pattern, such as that of a name, date, quantity or address.',
    fix: 'Write the value in the format that the message describes.',
  },
  'field-alternatives': {
    summary: 'A value matches none or too many of the alternatives in its schema, or one that the schema excludes.',
    message: ({ field, demand }: { readonly field: string; readonly demand: string }) => `${field} must ${demand}`,
    hint: ({ reasons }: { readonly reasons: readonly string[] }) =>
      reasons.length === 0
        ? undefined
        : reasons
            .slice(0, mostListed)
            .map((reason, index) => `alternative ${index + 1}: ${reason}`)
            .join('\n'),
    fix: 'Choose one of the alternatives and set only its fields. The hint gives the reason why each alternative does not match.',
  },
  'fields-exclusive': {
    summary: 'Fields are set together although only one of them is allowed.',
    message: ({ holder, fields }: FieldsArgs) =>
      `${listWords(fields.map(quote), 'and')} are mutually exclusive in ${holder}`,
    hint: ({ advice = 'keep one of them' }: FieldsArgs) => advice,
    fix: 'Remove all but one of the fields in the message. If a patch added one of them, let it remove the other with null.',
  },
  'field-choice-missing': {
    summary: 'None of several fields is set, although one of them is required.',
    message: ({ holder, fields }: FieldsArgs) =>
      `${holder} must have ${fields.length > 2 ? 'one of ' : ''}${listWords(fields.map(quote), 'or')}`,
    hint: ({ advice }: FieldsArgs) => advice,
    fix: 'Add one of the fields in the message. kurel schema show KIND.PATH describes them.',
  },
  'field-requires': {
    summary: 'A field is set without another field that it requires.',
    message: ({ holder, field, require }: RequireArgs) => `${quote(field)} requires ${quote(require)} in ${holder}`,
    hint: ({ field, require, advice = `add ${quote(require)}, or remove ${quote(field)}` }: RequireArgs) => advice,
    fix: 'Add the field that is required, or remove the one that requires it.',
  },
  'field-deprecated': {
    severity: 'note',
    summary: 'A deprecated field is set. It still works but will be removed.',
    message: ({ field }: { readonly field: string }) => `${field} is deprecated`,
    hint: ({ words }: { readonly words: string }) => words.replace(/^deprecated[:.]\s+/i, ''),
    fix: 'Replace the field as the hint describes, before a later version removes it.',
  },
  'list-duplicate': {
    summary: 'Two items of a list have the same key, or a list of unique values contains a value twice.',
    message: ({ list, what }: { readonly list: string; readonly what: string }) =>
      `duplicate ${what.replace(/^an? /, '')} in ${list}`,
    hint: ({ advice }: { readonly advice?: string }) => advice,
    fix: 'Remove one of the two items, or give them different keys. A related location shows the first one.',
  },
  'list-item-null': {
    summary: 'A list item is null. A warning if Kubernetes reads it as an empty item.',
    message: ({ field, taken, required }: NullItemArgs) => {
      if (required.length > 0) return `${field} must not be null: it requires ${listWords(required.map(quote), 'and')}`;
      return taken === undefined ? `${field} must not be null` : `${field} is null, which Kubernetes reads as ${taken}`;
    },
    hint: () => 'write the item, or remove it',
    fix: 'Write a value after the dash, or remove the line. A common cause is a dash whose content is commented out or not indented.',
  },
  'object-too-deep': {
    summary: 'An object is nested too deeply.',
    message: ({ limit }: { readonly limit: number }) => `the object has more than ${limit} levels`,
    fix: 'Nest the data less deeply. No Kubernetes kind needs this many levels, so look for a parameter or an alias that repeats itself.',
  },
  'schema-too-complex': {
    summary: 'The JSON Schema for the parameters takes too much work to validate values.',
    message: () => 'the parameter schema is too complex to validate values',
    fix: 'Simplify the JSON Schema: use fewer nested anyOf, oneOf and allOf, and avoid references that refer to each other in a cycle.',
  },
  'rule-not-checked': {
    severity: 'note',
    summary: 'kurel cannot check a rule or pattern of a CustomResourceDefinition; only the API server can.',
    message: ({ rule, kind, reason }: { readonly rule: string; readonly kind: string; readonly reason: string }) =>
      `rule ${quote(rule)} of ${kind} is not checked: ${reason}`,
    fix: 'Check the object against a cluster, for example with `kubectl apply --dry-run=server`. If you own the CustomResourceDefinition, simplify the rule.',
  },
}));

export type ValueCode = keyof typeof valueProblems.definitions;

/** A code and the arguments of its message. */
export type ValueFinding = {
  readonly [Code in ValueCode]: readonly [code: Code, args: Parameters<typeof valueProblems.create<Code>>[1]];
}[ValueCode];

interface NotAllowed {
  readonly field: string;
  readonly found: string;
  readonly allowed: readonly string[];
  /** The user's string, which may be a typo of an allowed one. */
  readonly word: string | undefined;
}

export function notAllowed({ field, found: shown, allowed, word }: NotAllowed): Mismatch {
  const advice = (): string | undefined => didYouMean(word === undefined ? undefined : nearest(word, allowed));
  return { field, demand: `must be ${listWords(allowed.map(quote), 'or')}`, found: shown, advice };
}
