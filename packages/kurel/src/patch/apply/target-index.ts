import { formatObject, formatObjects, nameOf, namespaceOf, objectNameOf } from '../../kube/index.ts';
import type { ObjectReading } from '../../kube/index.ts';
import type { KubeObject } from '../../model/index.ts';
import { kindAliases } from './kind-aliases.ts';

/** Finds objects by the names they had when patching began: no patch renames an object for the patches behind it. */
export interface TargetIndex {
  readonly size: number;
  /** `shop/deployment.web` */
  keyOf(index: number): string;
  /** With the API group where two groups share a name. */
  keys(): readonly string[];
  /** By kind in any case, and exact name. */
  byKindAndName(query: ObjectReading): readonly number[];
  byName(name: string): readonly number[];
  byNameInAnyCase(name: string): readonly number[];
  /** By patterns: `*` is any text, `?` any character. */
  byPattern(
    query: ObjectReading & {
      /** The name is no pattern, only the kind is. */
      readonly isExact?: boolean | undefined;
    },
  ): readonly number[];
  hasKind(kind: string): boolean;
}

export function createTargetIndex(objects: readonly KubeObject[]): TargetIndex {
  const byKind = new Map<string, Map<string, number[]>>();
  const byName = new Map<string, number[]>();
  for (const [index, object] of objects.entries()) {
    const name = nameOf(object);
    const kind = object.kind.toLowerCase();
    const names = getOrAdd(byKind, kind, () => new Map<string, number[]>());
    getOrAdd(names, name, () => []).push(index);
    // Without a name (`generateName`) an object can be met by a pattern only.
    if (name === '') continue;
    getOrAdd(byName, name, () => []).push(index);
  }
  let keys: readonly string[] | undefined;
  let lowerNames: ReadonlyMap<string, readonly number[]> | undefined;
  const kindOf = kindAliases(byKind);
  const isIn =
    ({ namespace, groups }: ObjectReading) =>
    (index: number) =>
      (namespace === undefined || namespaceOf(objects[index]!) === namespace) &&
      (groups === undefined || groups.has(objectNameOf(objects[index]!).group));
  const keyOf = (index: number): string => formatObject(objects[index]!);

  return {
    size: objects.length,
    keyOf,
    keys: () => (keys ??= formatObjects(objects)),
    byKindAndName(query) {
      const { kind, name } = query;
      if (name === '') return [];
      return (byKind.get(kindOf(kind))?.get(name) ?? []).filter(isIn(query));
    },
    byName: (name) => byName.get(name) ?? [],
    byNameInAnyCase(name) {
      const exact = byName.get(name);
      if (exact !== undefined) return exact;
      lowerNames ??= groupByLowerCase(byName);
      return lowerNames.get(name.toLowerCase()) ?? [];
    },
    byPattern(query) {
      const { kind, name, isExact } = query;
      const kinds = kind === '*' ? [...byKind.keys()] : [kindOf(kind)];
      const matches = isExact === true ? (candidate: string) => candidate === name : createGlob(name);
      return kinds
        .flatMap((one) => Array.from(byKind.get(one) ?? []))
        .flatMap(([candidate, indexes]) => (matches(candidate) ? indexes : []))
        .filter(isIn(query))
        .toSorted((a, b) => a - b);
    },
    hasKind: (kind) => byKind.has(kindOf(kind)),
  };
}

function groupByLowerCase(byName: ReadonlyMap<string, readonly number[]>): ReadonlyMap<string, readonly number[]> {
  const grouped = new Map<string, number[]>();
  for (const [name, indexes] of byName) {
    const group = getOrAdd(grouped, name.toLowerCase(), () => []);
    // One by one: as arguments of a call there may be too many.
    for (const index of indexes) group.push(index);
  }
  return grouped;
}

/** No regular expression: a hostile pattern of many stars must not take time. */
function createGlob(pattern: string): (text: string) => boolean {
  if (pattern === '*') return () => true;
  return (text) => {
    let [at, inText, star, mark] = [0, 0, -1, 0];
    while (inText < text.length) {
      if (at < pattern.length && pattern[at] === '*') {
        star = at;
        mark = inText;
        at += 1;
      } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[inText])) {
        at += 1;
        inText += 1;
      } else if (star !== -1) {
        at = star + 1;
        mark += 1;
        inText = mark;
      } else return false;
    }
    while (pattern[at] === '*') at += 1;
    return at === pattern.length;
  };
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
