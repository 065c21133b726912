import { defineProblems, quote } from '../../diagnostics/index.ts';

interface Available {
  /** Objects that could have been meant, nearest first. */
  readonly near: string | undefined;
  readonly known: readonly string[];
}

/** Words that some readers of YAML take for booleans. */
function adviseWord(value: string): string | undefined {
  if (/^"(?:yes|y|on)"$/i.test(value)) return 'write true';
  return /^"(?:no|n|off)"$/i.test(value) ? 'write false' : undefined;
}

/** What an index is for. */
type IndexUse = 'replace' | 'insert' | 'delete';

export const applyProblems = defineProblems({
  'patch-target-not-found': {
    severity: 'warning',
    summary: 'A patch names an object that is not there; the entry is skipped.',
    message: ({ target }: { target: string } & Available) => `no object ${quote(target)} to patch`,
    hint: ({ target, near, known }: { target: string } & Available) =>
      target.includes('*') ? 'patterns stand in the headers of .kpatch files only' : suggest(near, known),
  },
  'patch-no-match': {
    severity: 'warning',
    summary: 'A pattern, a wildcard or an entry for all objects hits nothing.',
    message: ({ what, reason }: { what: string; reason: string }) => `${quote(what)} changes nothing: ${reason}`,
    hint: ({ hint }: { hint?: string | undefined }) => hint,
  },
  'target-ambiguous': {
    severity: 'error',
    summary: 'A target or path fits several objects.',
    message: ({ target, candidates }: { target: string; candidates: readonly string[] }) =>
      `${quote(target)} could be any of ${list(candidates)}`,
    hint: ({ candidates, advice }: { candidates: readonly string[]; advice?: string | undefined }) =>
      advice ??
      (new Set(candidates).size < candidates.length
        ? 'two objects have the same kind, namespace and name: rename one, or take it out'
        : undefined),
  },
  'target-undetermined': {
    severity: 'error',
    summary: 'A key of a patch without a target fits no object.',
    message: ({ key }: { key: string }) => `no object has a field ${quote(key)}, so it is not clear what to patch`,
    hint: ({ known }: { known: readonly string[] }) =>
      known.length === 0
        ? 'there are no objects to patch'
        : `write kind.name in front of the path, or a target; objects: ${list(known)}`,
  },
  'path-ambiguous': {
    severity: 'error',
    summary: 'A short path is meant for the only container of a pod, but the pod has another number of them.',
    message: ({ field, object, containers }: { field: string; object: string; containers: readonly string[] }) =>
      containers.length === 0
        ? `${quote(field)} means a container's, but ${object} has no containers`
        : `${quote(field)} means a container's, but ${object} has ${containers.length}: ${list(containers)}`,
    hint: ({ field, containers }: { field: string; containers: readonly string[] }) =>
      containers.length === 0 ? undefined : `say which: containers.name=${containers[0]!}.${field}`,
  },
  'path-type-mismatch': {
    severity: 'error',
    summary: 'A path goes through, or an operation is on, a value of another type.',
    message: ({ path, object, found, wanted }: { path: string; object: string; found: string; wanted: string }) =>
      `${quote(path)} of ${object} is ${found}, not ${wanted}`,
  },
  'list-not-found': {
    severity: 'error',
    summary: 'A list operation is on a list that is not there.',
    message: ({ path, object }: { path: string; object: string }) => `${object} has no list ${quote(path)}`,
    hint({ path, near, holder }: { path: string; near: string | undefined; holder?: string | undefined }) {
      if (holder !== undefined) return `${quote(path.slice(path.lastIndexOf('.') + 1))} belongs in ${holder}`;
      return near === undefined ? `write ${path}[-] to make the list with a first item` : `did you mean ${near}?`;
    },
  },
  'index-out-of-range': {
    severity: 'error',
    summary: 'A list has no item with this index.',
    message: ({ index, path, length }: { index: string; path: string; length: number; does: IndexUse }) =>
      `index ${index} is out of range: ${quote(path)} has ${length === 1 ? '1 item' : `${length} items`}`,
    hint({ length, does }: { length: number; does: IndexUse }) {
      if (does === 'insert') return 'write [-] to append';
      if (length === 0) return undefined;
      return `indexes go from 0 to ${length - 1}${does === 'delete' ? '' : '; write [-] to append'}`;
    },
  },
  'selector-no-match': {
    severity: 'error',
    summary: 'No item of a list meets a selector.',
    message: ({ selector, path, object }: { selector: string; path: string; object: string }) =>
      `no item of ${quote(path)} of ${object} has ${selector}`,
    hint: ({ found }: { found: readonly string[] }) =>
      found.length === 0 ? 'none of its items has this field' : `items have ${list(found)}`,
  },
  'delete-nothing': {
    severity: 'warning',
    summary: 'A patch deletes what is not there.',
    message: ({ path, object }: { path: string; object: string }) => `${object} has no ${quote(path)} to delete`,
  },
  'type-mismatch': {
    severity: 'error',
    summary:
      'A patch cannot use its value: an item that is null or of the wrong type, or a part of an image that is no string.',
    message: ({ value, field, type }: { value: string; field: string; type: string }) =>
      `${quote(field)} takes ${type}, not ${value}`,
  },
  'image-incomplete': {
    severity: 'error',
    summary: 'A part of an image is set, but there is no image and no repository.',
    message: ({ part, object }: { part: string; object: string }) =>
      `cannot set ${quote(part)}: the container of ${object} has no image`,
    hint: () => 'also set image.repository in the same section',
  },
  'object-left-out': {
    severity: 'note',
    summary: 'A patch says enabled: false, so the object is not part of the output.',
    message: ({ object }: { object: string }) => `${object} is left out: it is not enabled`,
  },
  'enabled-not-boolean': {
    severity: 'error',
    summary: 'The value of enabled is not true or false.',
    message: ({ value }: { value: string }) => `enabled is true or false, not ${value}`,
    hint({ value, variable }: { value: string; variable?: string | undefined }) {
      if (variable !== undefined) return `${adviseWord(value) ?? 'write true or false'} where ${variable} is set`;
      return (
        adviseWord(value) ??
        'a field that is really called enabled is written with its whole path, such as spec.enabled'
      );
    },
  },
  'patch-conflict': {
    severity: 'warning',
    summary: 'Two strategic patches want different things of one object; the later one wins.',
    message: ({ object, description }: { object: string; description: string }) =>
      `patches of ${object} disagree: ${description}`,
    hint: () => 'the later patch wins; keep one of the two, or set the field in one of them alone',
  },
  'patch-overridden': {
    severity: 'note',
    summary: 'Two patch files set one field to different values; the later one wins.',
    message: ({ path, object, before, after }: { path: string; object: string; before: string; after: string }) =>
      `${quote(path)} of ${object} is set to ${before} and then to ${after}`,
  },
  'patch-replaces-section': {
    severity: 'warning',
    summary: 'A field patch replaces the whole metadata or spec of an object.',
    message: ({ field, object, lost }: { field: string; object: string; lost: readonly string[] }) =>
      `${quote(field)} of ${object} is replaced as a whole, and loses ${list(lost)}`,
    hint: ({ field }: { field: string }) =>
      `write the path of a field, such as ${field}.${field === 'metadata' ? 'labels' : 'replicas'}, or type: strategic to merge`,
  },
  'patch-breaks-object': {
    severity: 'error',
    summary: 'A patch leaves an object without its apiVersion or kind.',
    message: ({ object }: { object: string }) => `the patch leaves ${object} without an apiVersion or kind`,
  },
});

const most = 8;

function list(words: readonly string[]): string {
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown} and ${words.length - most} more` : shown;
}

function suggest(near: string | undefined, known: readonly string[]): string {
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length === 0 ? 'there are no objects to patch' : `objects: ${list(known)}`;
}
