import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { isOfKind, nameOf, namespaceOf, objectNameOf } from './identity.ts';
import { withName } from './metadata.ts';
import { eachReference } from './references.ts';
import type { ObjectReference } from './references.ts';

/** Changes the name of an object, and its references to renamed objects. */
export type Rename = (object: KubeObject) => KubeObject;

interface Renamed {
  readonly group: string;
  readonly name: string;
}

/** Kinds whose names have a meaning: other objects are in a Namespace, and a definition is named after its kind. */
const fixed = [
  { group: '', kind: 'Namespace' },
  { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', kind: 'APIService' },
];

/**
 * Renames objects together with the references between them. `objects` are all possible targets; a reference to anything
 * else is unchanged. Namespaces, CustomResourceDefinitions and APIServices keep their names, and so do objects without one.
 */
export function createRename(objects: readonly KubeObject[], newName: (object: KubeObject) => string): Rename {
  const nameFor = (object: KubeObject): string => {
    const name = nameOf(object);
    return name === '' || fixed.some((kind) => isOfKind(object, kind)) ? name : newName(object);
  };
  const renamed = new Map<string, Renamed[]>();
  for (const object of objects) {
    const name = nameFor(object);
    if (name === nameOf(object)) continue;
    const key = keyOf(object.kind, namespaceOf(object), nameOf(object));
    const group = { group: objectNameOf(object).group, name };
    const known = renamed.get(key);
    if (known === undefined) renamed.set(key, [group]);
    else known.push(group);
  }
  const find = (reference: ObjectReference, home: string): string | undefined => {
    const { kind, group, name, namespace = home } = reference;
    // An object without a namespace is cluster-scoped, or in the namespace that the set is applied to.
    for (const place of [namespace, '', ...(namespace === '' ? ['default'] : [])]) {
      const found = renamed.get(keyOf(kind, place, name)) ?? [];
      const fits = found.find((one) => group === undefined || one.group === group);
      if (fits !== undefined) return fits.name;
    }
    return undefined;
  };
  return (object) => {
    const edits: (readonly [path: Path, name: string])[] = [];
    eachReference(object, (reference) => {
      const name = find(reference, namespaceOf(object));
      if (name !== undefined) edits.push([reference.path(), name]);
    });
    const followed = edits.reduce<Json>((value, [path, name]) => putText(value, path, name), object) as KubeObject;
    const name = nameFor(object);
    return name === nameOf(object) ? followed : withName(followed, name);
  };
}

function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

/** Data with another string at an existing path. */
export function putText(value: Json, [step, ...rest]: Path, text: string): Json {
  if (step === undefined) return text;
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? putText(item, rest, text) : item));
  return isJsonObject(value) ? { ...value, [step]: putText(value[step]!, rest, text) } : value;
}
