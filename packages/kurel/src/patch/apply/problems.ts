import { countNoun, defineProblems, didYouMean, listFirst, quote, sentence, setting } from '../../diagnostics/index.ts';

interface Available {
  /** The object with the most similar name. */
  readonly near: string | undefined;
  readonly available: readonly string[];
}

interface Candidates {
  readonly candidates: readonly string[];
  /** If the same text can be read in several ways: what each means, and how to write it. */
  readonly readings?: readonly { readonly meaning: string; readonly spelling: string }[] | undefined;
}

/** YAML 1.1 reads these words as booleans. */
function adviseWord(value: string): string | undefined {
  if (/^"(?:yes|y|on)"$/i.test(value)) return 'use true';
  return /^"(?:no|n|off)"$/i.test(value) ? 'use false' : undefined;
}

type IndexUse = 'replace' | 'insert' | 'delete';

export const applyProblems = defineProblems(() => ({
  'patch-target-not-found': {
    severity: 'warning',
    summary: 'A patch targets an object that does not exist; the entry is skipped.',
    fix: sentence`Correct the kind, namespace or name in the header or \`target\`, or remove the entry. Use \`kurel build\` to see the objects. With \`${setting('strict')}\` a missing target fails the build.`,
    message: ({ target }: { target: string } & Available) => `patch target ${quote(target)} does not exist`,
    hint: ({ near, available }: { target: string } & Available) => suggest(near, available),
  },
  'patch-no-match': {
    severity: 'warning',
    summary: 'A wildcard, or an entry that applies to all objects, matches nothing.',
    fix: 'Correct the wildcard or the path, or remove the entry. To patch one object, use a header such as `[deployment.web]`.',
    message: ({ what, reason }: { what: string; reason: string; hint?: string | undefined }) =>
      `${quote(what)} has no effect: ${reason}`,
  },
  'target-wildcard': {
    summary: 'The `target` of a YAML patch has a wildcard in its namespace, kind or API group.',
    fix: 'Use wildcards in the name only, as in `deployment.web-*`, or `*` for every kind, as in `*.web`.',
    message: ({ target, part, word }: { target: string; part: string; word: string }) =>
      word === ''
        ? `the target ${quote(target)} has no ${part}`
        : `the ${part} ${quote(word)} of a target contains a wildcard`,
    hint: ({ part }: { part: string }) =>
      part === 'namespace'
        ? 'name one namespace; only object names accept wildcards: `deployment.web-*`'
        : `use the full ${part}, or \`*.name\` for every kind`,
  },
  'target-ambiguous': {
    summary: 'A target or path matches more than one object.',
    fix: 'Make the target unique: add the kind (`deployment.web`), the namespace (`shop/deployment.web`) or the API group (`deployment@apps/web`). If a name may end at more than one dot, quote it: `[secret."web.tls"]`.',
    message({ target, candidates, readings }: Candidates & { readonly target: string }) {
      if (readings !== undefined)
        return `${quote(target)} is ambiguous: it may be ${listReadings(readings.map(({ meaning }) => meaning))}`;
      return new Set(candidates).size === 1
        ? `${quote(target)} is ambiguous: ${candidates.length} objects are named ${candidates[0]!}`
        : `${quote(target)} is ambiguous: it matches ${list(candidates)}`;
    },
    hint: ({ candidates, advice, readings }: Candidates & { readonly advice?: string | undefined }) =>
      (readings && `write ${listReadings(readings.map(({ spelling }) => spelling))}`) ??
      advice ??
      (new Set(candidates).size < candidates.length
        ? 'rename or remove one of the objects: they have the same kind, namespace and name'
        : undefined),
  },
  'target-undetermined': {
    summary: 'A patch key without a target does not match any object.',
    fix: 'Add a target: a header such as `[deployment.web]` in a .kpatch file, or `target: deployment.web` in YAML. Without a target, a path must start with `kind.name` or exist in exactly one object.',
    message: ({ key }: { key: string }) => `cannot tell which object to patch: no object has a field ${quote(key)}`,
    hint: ({ available }: { available: readonly string[] }) =>
      available.length === 0
        ? undefined
        : `add a target, or start the path with kind.name; objects: ${list(available)}`,
  },
  'path-ambiguous': {
    summary: 'A short path applies to the only container of a pod, but the pod has none, or more than one.',
    fix: 'Name the container in the path, as in `containers.name=web.image`, or use `containers.*.image` to patch all of them.',
    message: ({ field, object, containers }: { field: string; object: string; containers: readonly string[] }) =>
      containers.length === 0
        ? `${quote(field)} is a container field, but ${object} has no containers`
        : `${quote(field)} is a container field, but ${object} has ${containers.length} containers: ${list(containers)}`,
    hint: ({ field, containers }: { field: string; containers: readonly string[] }) =>
      containers.length === 0 ? undefined : `name the container, as in containers.name=${containers[0]!}.${field}`,
  },
  'path-unclear': {
    summary:
      'A path starts with a name that is not a field of the kind: it may be a mistyped field or, for instance, a key of data.',
    fix: 'Correct the field. If the name is meant as a key of a ConfigMap or Secret, write `data["app.properties"]` or `stringData["password"]`; in a kind without a schema, write the full path, such as `spec.size`, or the name in quotes for a new field of the object.',
    message: ({ field, object }: { field: string; object: string; literal: string }) =>
      `${quote(field)} is not a field of ${object}`,
    hint({ literal, near, parent }: { literal: string; near: string | undefined; parent: string | undefined }) {
      const what = parent === undefined ? 'a new field' : parent === 'data' ? 'a key of data' : 'a field of the spec';
      const meant = `for ${what}, write ${literal}`;
      const question = didYouMean(near, String);
      return question === undefined ? meant : `${question} ${meant.charAt(0).toUpperCase()}${meant.slice(1)}`;
    },
  },
  'index-or-key': {
    summary:
      'A path contains digits, which may be an index or a key: the object has nothing there, and the kind has no schema.',
    fix: sentence`Write \`["0"]\` for a key. For a list, append the first item with \`[-]\`. With the CustomResourceDefinition (\`${setting('crds', 'PATH')}\`), kurel knows which one it is.`,
    message: ({ name, path, object }: { name: string; path: string; object: string }) =>
      `${quote(name)} below ${quote(path)} of ${object} may be an index or a key`,
    hint: ({ name, path }: { name: string; path: string }) =>
      `write ${path}["${name}"] for a key, or ${path}[-] to create a list`,
  },
  'path-type-mismatch': {
    summary: 'A path or an operation expects a list or map, but the object has a value of another type there.',
    fix: 'Correct the path. Use names for the keys of a map, and `[0]` or `[name=web]` for the items of a list.',
    message: ({ path, object, actual, wanted }: { path: string; object: string; actual: string; wanted: string }) =>
      `${quote(path)} of ${object} must be ${wanted}, got ${actual}`,
    hint: ({ path, actual }: { path: string; actual: string }) =>
      /\bcontainers\[\d+\]\.image$/i.test(path) && actual === 'a string'
        ? 'use image.repository, image.registry, image.tag or image.digest'
        : undefined,
  },
  'list-not-found': {
    summary: 'An operation changes a list that does not exist.',
    fix: 'Correct the path of the list, or append with `[-]`, which creates the list.',
    message: ({ path, object }: { path: string; object: string }) => `list ${quote(path)} does not exist in ${object}`,
    hint({ path, near, holder }: { path: string; near: string | undefined; holder?: string | undefined }) {
      if (holder !== undefined) return `put ${quote(path.slice(path.lastIndexOf('.') + 1))} in ${holder}`;
      return didYouMean(near, String) ?? `use ${path}[-] to create the list with its first item`;
    },
  },
  'index-out-of-range': {
    summary: 'A list index in a patch is out of range.',
    fix: 'Use an index that exists, counting from 0, or append with `[-]`. A selector such as `[name=web]` still works after items have moved.',
    message: ({ index, path, length }: { index: string; path: string; length: number; does: IndexUse }) =>
      `index ${index} is out of range: ${quote(path)} has ${countNoun(length, 'item')}`,
    hint({ length, does }: { length: number; does: IndexUse }) {
      if (does === 'insert') return 'use [-] to append';
      if (length === 0) return undefined;
      return `use ${length === 1 ? 'index 0' : `an index from 0 to ${length - 1}`}${does === 'delete' ? '' : ', or [-] to append'}`;
    },
  },
  'selector-no-match': {
    summary: 'A selector does not match any item of the list.',
    fix: 'Correct the key or value in the selector, or append the item first with `[-]`.',
    message: ({ selector, path, object }: { selector: string; path: string; object: string }) =>
      `no item of ${quote(path)} in ${object} has ${selector}`,
    hint: ({ candidates }: { candidates: readonly string[] }) =>
      candidates.length === 0 ? 'select by a field that the items have' : `use ${oneOf(candidates)}`,
  },
  'delete-nothing': {
    severity: 'warning',
    summary: 'A patch deletes a field or item that does not exist.',
    fix: 'Correct the path, or remove the deletion if the field is already gone.',
    message: ({ path, object }: { path: string; object: string }) =>
      `the patch deletes ${quote(path)}, which does not exist in ${object}`,
  },
  'type-mismatch': {
    summary:
      'A patch value has the wrong type: a list item that is null or of another type, or part of an image that is not a string.',
    fix: 'Change the value to the type that the field expects. To remove an item, use `[delete=…]` instead of null.',
    message: ({ value, field, type }: { value: string; field: string; type: string }) =>
      `${quote(field)} accepts only ${type}, got ${value}`,
    hint({ field, isSection = false }: { field: string; isSection?: boolean }) {
      const list = field.slice(field.lastIndexOf('.') + 1);
      return isSection ? `end the header before ${list}, and use \`${list}[-]: value\`` : undefined;
    },
  },
  'image-incomplete': {
    summary: 'A patch sets the tag, digest or registry of a container that has no image.',
    fix: 'Set `image.repository` in the same section, or set the whole `image`.',
    message: ({ part, object }: { part: string; object: string }) =>
      `cannot set ${quote(part)}: the container of ${object} has no image`,
    hint: () => 'set image.repository in the same section',
  },
  'object-left-out': {
    severity: 'note',
    summary: 'A patch sets `enabled: false`, so the object is left out of the output.',
    fix: 'No action is needed. To keep the object, remove `enabled: false` or set the parameter that it refers to.',
    message: ({ object }: { object: string }) => `${object} is left out of the output: it is disabled`,
  },
  'enabled-not-boolean': {
    summary: 'The value of `enabled` in a patch is not a boolean.',
    fix: 'Set `enabled` to true, false or a parameter that is a boolean. To patch a field that is named enabled, use its full path, such as `spec.enabled`.',
    message: ({ value }: { value: string }) => `enabled must be true or false, got ${value}`,
    hint({ value, variable }: { value: string; variable?: string | undefined }) {
      if (variable !== undefined) return `${adviseWord(value) ?? 'use true or false'} for ${variable}`;
      return adviseWord(value) ?? 'use the full path if you mean a field named enabled, such as spec.enabled';
    },
  },
  'patch-conflict': {
    severity: 'warning',
    summary: 'Two strategic patches set the same field of an object differently; the later one wins.',
    fix: sentence`Set the field in one of the patches only. If the order is intended, accept the finding with \`${setting('accept', 'patch-conflict')}\`.`,
    message: ({ object, description }: { object: string; description: string }) =>
      `patches for ${object} conflict: ${description}`,
    hint: () => 'keep one of them; the later patch wins',
  },
  'patch-overridden': {
    severity: 'note',
    summary: 'Two patch files set the same field to different values; the later one wins.',
    fix: 'No action is needed if the later value is intended. Otherwise remove one of the two settings.',
    message: ({ path, object, before, after }: { path: string; object: string; before: string; after: string }) =>
      `${quote(path)} of ${object} is ${describeSetting(before)}, then ${describeSetting(after)}`,
  },
  'patch-replaces-section': {
    severity: 'warning',
    summary: 'A field patch replaces the entire metadata or spec of an object.',
    fix: 'Patch the single fields by path, such as `spec.replicas`, or add `type: strategic` to the entry to merge it.',
    message: ({ field, object, lost }: { field: string; object: string; lost: readonly string[] }) =>
      `the patch replaces the entire ${quote(field)} of ${object} and removes ${list(lost)}`,
    hint: ({ field }: { field: string }) =>
      `patch single fields, such as ${field}.${field === 'metadata' ? 'labels' : 'replicas'}, or add type: strategic to merge`,
  },
  'patch-breaks-object': {
    summary: 'A patch removes the apiVersion or kind of an object.',
    fix: 'Keep `apiVersion` and `kind` in the patch, or do not change them. To remove the whole object, set `enabled: false`.',
    message: ({ object }: { object: string }) => `the patch removes the apiVersion or kind of ${object}`,
  },
}));

const most = 8;

function list(words: readonly string[]): string {
  return listFirst(words, most);
}

function listReadings(words: readonly string[]): string {
  const shown = words.slice(0, most);
  return `${shown.slice(0, -1).join(', ')}, or ${shown.at(-1)!}`;
}

function oneOf(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `one of ${list(words)}`;
}

/** `nothing` is a deletion. */
function describeSetting(value: string): string {
  return value === 'nothing' ? 'deleted' : `set to ${value}`;
}

function suggest(near: string | undefined, available: readonly string[]): string {
  const all = available.length === 0 ? 'add objects to patch: the input has none' : `use ${oneOf(available)}`;
  return didYouMean(near, String) ?? all;
}
