import { hiddenText } from '../diagnostics/index.ts';
import { isSecret } from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { objectOf } from './difference.ts';
import type { FieldChange, ObjectDifference, ObjectsDifference } from './difference.ts';

const secretFields: readonly string[] = ['data', 'stringData'];
// This annotation of kubectl apply contains a copy of the whole object.
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Hides the values of Secrets in a difference and keeps only which keys were added, removed or changed. */
export function hideSecrets({ objects, same }: ObjectsDifference): ObjectsDifference {
  return { objects: objects.map(hideDifference), same };
}

function hideDifference(difference: ObjectDifference): ObjectDifference {
  if (!isSecret(objectOf(difference))) return difference;
  if (difference.operation === 'add') return { ...difference, after: hideSecretValues(difference.after), hidden: true };
  const before = hideSecretValues(difference.before);
  if (difference.operation === 'remove') return { ...difference, before, hidden: true };
  const { after, changes } = difference;
  return { ...difference, before, after: hideSecretValues(after), changes: hideChanges(changes) };
}

/** Whether a path is inside the data of a Secret. */
export function isSecretField(object: KubeObject, [field, key, name]: Path): boolean {
  if (!isSecret(object)) return false;
  if (field === 'metadata') return key === 'annotations' && name === lastApplied;
  return typeof field === 'string' && secretFields.includes(field);
}

/** Replaces each value of a Secret with `(hidden)` and keeps the keys. */
export function hideSecretValues(object: KubeObject): KubeObject {
  if (!isSecret(object)) return object;
  const entries = Object.entries(object).map(([key, value]): [string, Json] => {
    if (secretFields.includes(key)) return [key, hideEntries(value)];
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

function hideChanges(changes: readonly FieldChange[]): readonly FieldChange[] {
  const hidden = changes.flatMap(hideChange);
  // Several changes inside one value are reported as one.
  const keyOf = (change: FieldChange): unknown =>
    change.hidden === true ? JSON.stringify([change.path, change.operation]) : change;
  const reported = new Map(hidden.map((change) => [keyOf(change), change]));
  return [...reported.values()];
}

function hideChange(change: FieldChange): readonly FieldChange[] {
  const { operation, path } = change;
  const [field, key] = path;
  if (field === 'metadata') return [hideAnnotation(change)];
  if (typeof field !== 'string' || !secretFields.includes(field)) return [change];
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
