import { countNoun, defineProblems, quote, sentence, setting } from '../../diagnostics/index.ts';

interface ListItem {
  readonly list: string;
  /** Counted from 1. */
  readonly item: number;
  readonly of: 'patch' | 'object';
}

export const mergeProblems = defineProblems(() => ({
  'smp-directive-unsupported': {
    summary: 'A strategic merge directive is used in a JSON merge patch, or for a kind without a schema.',
    fix: sentence`Use null to remove a key, and list every item of a list. To use directives such as \`$patch\`, change the entry to \`type: strategic\` and pass the CustomResourceDefinition of the kind with \`${setting('crds')}\`.`,
    message: ({ directive }: { directive: string }) =>
      `JSON merge patch (RFC 7386) does not support the strategic merge directive ${quote(directive)}`,
    hint: () =>
      'use null to remove a key and list every item of a list, or use a strategic patch on a kind with a known schema',
  },
  'smp-directive-invalid': {
    summary: 'A strategic merge directive is malformed, or contradicts the rest of the patch.',
    fix: 'Correct the directive. `$patch` is "replace" or "delete"; `$retainKeys`, `$setElementOrder/NAME` and `$deleteFromPrimitiveList/NAME` are lists.',
    message: ({ reason }: { reason: string; hint: string }) => reason,
  },
  'smp-merge-key-missing': {
    summary: 'A list is merged by a key that one of its items does not have.',
    fix: 'Add the merge key, such as `name` for containers, to every item of the list. To replace the whole list instead, add an item `$patch: replace`.',
    message: ({ list, item, keys, of }: ListItem & { keys: readonly string[] }) =>
      `item ${item} of ${quote(list)}${of === 'object' ? ' in the object' : ''} has no merge key ${nameKeys(keys)}`,
    hint: ({ list, keys, of }: ListItem & { keys: readonly string[] }) =>
      of === 'object'
        ? `add ${nameKeys(keys)} to the item of the object, or replace the list with an item {$patch: replace}`
        : `add ${nameKeys(keys)} to every item: ${list} is merged by it`,
  },
  'smp-element-order': {
    summary: 'The list order in a strategic patch does not match the items of the patch.',
    fix: 'List every item of the patch in `$setElementOrder`, in the same order, or remove the directive.',
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
        ? `${quote(directive)} has ${item} in another position than ${quote(list)}`
        : `${quote(directive)} does not list ${item}, which ${quote(list)} sets`,
    hint: ({ list }: { list: string }) => `list every item of ${list} in the same order`,
  },
  'smp-list-replaced': {
    severity: 'note',
    summary: 'A strategic patch replaces an entire list of objects, because the schema has no merge key for it.',
    fix: 'List every item to keep. To change a single item, use a field patch with a selector such as `[name=web]`.',
    message: ({ list, length }: { list: string; length: number }) =>
      `the patch replaces the entire list ${quote(list)}, which had ${countNoun(length, 'item')}`,
    hint: () => 'list every item to keep: the list has no merge key',
  },
  'smp-type-mismatch': {
    summary: 'An item of a merged list has the wrong type.',
    fix: 'Change the item so that all items of the list have the same type.',
    message: ({ list, item, of, actual, wanted }: ListItem & { actual: string; wanted: string }) =>
      `item ${item} of ${quote(list)}${of === 'object' ? ' in the object' : ''} must be ${wanted}, got ${actual}`,
  },
  'smp-too-deep': {
    summary: 'A strategic patch is nested too deeply.',
    fix: 'Check how the patch is generated: no Kubernetes object has this many levels.',
    message: ({ limit }: { limit: number }) => `the patch has more than ${limit} levels`,
  },
}));

function nameKeys(keys: readonly string[]): string {
  return keys.map((key) => quote(key)).join(' or ');
}
