import { hiddenText } from '../diagnostics/index.ts';
import { isSecret, isSecretValue } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { createWordFinder } from '../provenance/index.ts';
import { objectOf } from './difference.ts';
import type { FieldChange, ObjectDifference, ObjectsDifference } from './difference.ts';

// This annotation of kubectl apply contains a copy of the whole object.
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Hides the values of Secrets in a difference and keeps only which keys were added, removed or changed. `words` are values of
 * parameters that end up in a Secret: strings in other fields that contain one of them are hidden, too.
 */
export function hideSecrets({ objects, same }: ObjectsDifference, words: readonly string[] = []): ObjectsDifference {
  const holdsWord = createWordFinder(words);
  return { objects: objects.map((difference) => hideWords(hideDifference(difference), holdsWord)), same };
}

function hideDifference(difference: ObjectDifference): ObjectDifference {
  if (!isSecret(objectOf(difference))) return difference;
  if (difference.operation === 'add') return { ...difference, after: hideSecretValues(difference.after), hidden: true };
  const before = hideSecretValues(difference.before);
  if (difference.operation === 'remove') return { ...difference, before, hidden: true };
  const { after, changes } = difference;
  return { ...difference, before, after: hideSecretValues(after), changes: hideChanges(changes, difference) };
}

type HoldsWord = (text: string) => boolean;

function hideWords(difference: ObjectDifference, holdsWord: HoldsWord): ObjectDifference {
  const hide = (object: KubeObject): KubeObject => hideStrings(object, holdsWord) as KubeObject;
  if (difference.operation === 'add') return { ...difference, after: hide(difference.after) };
  if (difference.operation === 'remove') return { ...difference, before: hide(difference.before) };
  const { before, after, changes } = difference;
  const hideIn = (change: FieldChange): FieldChange => {
    const hidden = {
      ...change,
      ...(change.before === undefined ? {} : { before: hideStrings(change.before, holdsWord) }),
      ...(change.after === undefined ? {} : { after: hideStrings(change.after, holdsWord) }),
    };
    const isScalarHidden = [hidden.before, hidden.after].includes(hiddenText) && change.hidden !== true;
    return isScalarHidden ? { operation: change.operation, path: change.path, hidden: true } : hidden;
  };
  return { ...difference, before: hide(before), after: hide(after), changes: changes.map(hideIn) };
}

/** The value with every string that contains one of the words hidden; the same instance if there is none. */
function hideStrings(value: Json, holdsWord: HoldsWord): Json {
  if (typeof value === 'string') return holdsWord(value) ? hiddenText : value;
  if (typeof value === 'number' || typeof value === 'bigint') return holdsWord(String(value)) ? hiddenText : value;
  if (isJsonArray(value)) {
    const items = value.map((item) => hideStrings(item, holdsWord));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [key, hideStrings(inner, holdsWord)]);
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries);
}

/** Whether a path is inside the values of a Secret. */
export function isSecretField(object: KubeObject, path: Path): boolean {
  const [field, key, name] = path;
  if (isSecret(object) && field === 'metadata') return key === 'annotations' && name === lastApplied;
  return isSecretValue(object, path);
}

/** Replaces each value of a Secret with `(hidden)` and keeps the keys. */
export function hideSecretValues(object: KubeObject): KubeObject {
  if (!isSecret(object)) return object;
  const entries = Object.entries(object).map(([key, value]): [string, Json] => {
    if (isSecretValue(object, [key])) return [key, hideEntries(value)];
    return [key, key === 'metadata' ? hideInMetadata(value) : value];
  });
  return Object.fromEntries(entries) as KubeObject;
}

/** Keys are not secret; a nested object is hidden entirely. */
function hideEntries(value: Json): Json {
  if (!isJsonObject(value)) return value === null ? null : hiddenText;
  return Object.fromEntries(Object.keys(value).map((key) => [key, hiddenText]));
}

function hideInMetadata(metadata: Json): Json {
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, 'annotations')) return metadata;
  return { ...metadata, annotations: hideInAnnotations(metadata['annotations']!) };
}

function hideInAnnotations(annotations: Json): Json {
  if (!isJsonObject(annotations) || !Object.hasOwn(annotations, lastApplied)) return annotations;
  return { ...annotations, [lastApplied]: hiddenText };
}

/** The object before and after. */
type Sides = Pick<Extract<ObjectDifference, { readonly operation: 'change' }>, 'before' | 'after'>;

function hideChanges(changes: readonly FieldChange[], sides: Sides): readonly FieldChange[] {
  const hidden = changes.flatMap((change) => hideChange(change, sides));
  // Several changes inside one value are reported as one.
  const keyOf = (change: FieldChange): unknown =>
    change.hidden === true ? JSON.stringify([change.path, change.operation]) : change;
  const reported = new Map(hidden.map((change) => [keyOf(change), change]));
  return [...reported.values()];
}

function hideChange(change: FieldChange, sides: Sides): readonly FieldChange[] {
  const { operation, path } = change;
  const [field, key] = path;
  if (field === 'metadata') return [hideAnnotation(change)];
  if (typeof field !== 'string') return [change];
  if (!isSecretValue(sides.before, [field]) && !isSecretValue(sides.after, [field])) return [change];
  if (typeof key === 'string') {
    return [{ operation: path.length === 2 ? operation : 'change', path: [field, key], hidden: true }];
  }
  const [removed, added] = [change.before, change.after].map((value) =>
    isJsonObject(value) ? Object.keys(value) : [],
  );
  const ofKeys = [
    ...removed!.map((name): FieldChange => ({ operation: 'remove', path: [field, name], hidden: true })),
    ...added!.map((name): FieldChange => ({ operation: 'add', path: [field, name], hidden: true })),
  ];
  if (ofKeys.length > 0) return ofKeys;
  return [{ operation: path.length === 1 ? operation : 'change', path: [field], hidden: true }];
}

function hideAnnotation(change: FieldChange): FieldChange {
  const { operation, path, before, after } = change;
  if (path[1] === 'annotations' && path[2] === lastApplied) {
    return { operation: path.length === 3 ? operation : 'change', path: path.slice(0, 3), hidden: true };
  }
  const hide = path.length === 1 ? hideInMetadata : hideInAnnotations;
  if (path.length > 2 || (path.length === 2 && path[1] !== 'annotations')) return change;
  return {
    operation,
    path,
    ...(before === undefined ? {} : { before: hide(before) }),
    ...(after === undefined ? {} : { after: hide(after) }),
  };
}
