import { defineProblems, quote } from '../../diagnostics/index.ts';

interface ListItem {
  readonly list: string;
  /** From 1, as people count. */
  readonly item: number;
  readonly of: 'patch' | 'object';
}

export const mergeProblems = defineProblems({
  'smp-directive-unsupported': {
    severity: 'error',
    summary: 'A JSON merge patch, or a strategic patch on a kind without a schema, has a directive of strategic merge.',
    message: ({ directive }: { directive: string }) =>
      `${quote(directive)} is a directive of strategic merge, which a JSON merge patch (RFC 7386) does not have`,
    hint: () =>
      'null removes a key, and lists are written whole; for more, use a strategic patch on a kind whose schema is known',
  },
  'smp-directive-invalid': {
    severity: 'error',
    summary: 'A directive of a strategic patch is malformed, or contradicts what stands beside it.',
    message: ({ reason }: { reason: string; hint: string }) => reason,
    hint: ({ hint }) => hint,
  },
  'smp-merge-key-missing': {
    severity: 'error',
    summary: 'An item of a list that is merged by a key does not have the key.',
    message: ({ list, item, keys, of }: ListItem & { keys: readonly string[] }) =>
      `item ${item} of ${quote(list)}${of === 'object' ? ' in the object' : ''} has no ${nameKeys(keys)} to be found by`,
    hint: ({ list, keys, of }: ListItem & { keys: readonly string[] }) =>
      of === 'object'
        ? `give the item of the object its ${nameKeys(keys)}, or replace the list with an item {$patch: replace}`
        : `items of ${list} are merged by their ${nameKeys(keys)}; write it in every item`,
  },
  'smp-element-order': {
    severity: 'error',
    summary: 'The order that a strategic patch sets for a list does not fit the items of the patch.',
    message: ({
      directive,
      item,
      list,
      isNamed,
    }: {
      directive: string;
      item: string;
      list: string;
      isNamed: boolean;
    }) =>
      isNamed
        ? `${quote(directive)} has ${item} in another place than ${quote(list)}`
        : `${quote(directive)} does not name ${item}, which ${quote(list)} sets`,
    hint: ({ list }: { list: string }) => `name every item of ${list} in the order they should have`,
  },
  'smp-list-replaced': {
    severity: 'note',
    summary: 'A strategic patch replaces a list of mappings as a whole, because nothing says how to merge its items.',
    message: ({ list, length }: { list: string; length: number }) =>
      `the patch replaces the whole list ${quote(list)}, which had ${length === 1 ? '1 item' : `${length} items`}`,
    hint: () => 'no key is known by which its items could be merged; write every item that should stay',
  },
  'smp-type-mismatch': {
    severity: 'error',
    summary: 'An item of a list that is merged is not of the type that can be merged.',
    message: ({ list, item, of, found, wanted }: ListItem & { found: string; wanted: string }) =>
      `item ${item} of ${quote(list)}${of === 'object' ? ' in the object' : ''} is ${found}, not ${wanted}`,
    hint: ({ list, wanted }: { list: string; wanted: string }) => `every item of ${list} must be ${wanted}`,
  },
  'smp-too-deep': {
    severity: 'error',
    summary: 'A strategic patch is nested deeper than any real object.',
    message: ({ limit }: { limit: number }) => `the patch is nested more than ${limit} deep`,
    hint: () => 'no object is that deep',
  },
});

function nameKeys(keys: readonly string[]): string {
  return keys.map((key) => quote(key)).join(' or ');
}
