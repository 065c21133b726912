import { addToList, getOrAdd } from '../../budget/index.ts';
import { formatObject, formatObjects, kindsNamed, nameOf, namespaceOf, objectNameOf } from '../../kube/index.ts';
import type { ObjectReading } from '../../kube/index.ts';
import type { KubeObject } from '../../model/index.ts';

/** Resolves a kind in a patch, in lower case: unchanged if an object has it, otherwise by short name or plural. */
export function kindAliases(kinds: { has(kind: string): boolean }): (kind: string) => string {
  return (kind) => {
    const named = kindsNamed(kind);
    return named.find((candidate) => kinds.has(candidate)) ?? named[0]!;
  };
}

/** Finds objects by their original names: a patch that renames an object does not affect later patches. */
export interface TargetIndex {
  readonly size: number;
  /** Length of the longest name. */
  readonly maxNameLength: number;
  /** `shop/deployment.web` */
  keyOf(index: number): string;
  /** Includes the API group if two groups share a name. */
  keys(): readonly string[];
  /** By kind, case-insensitively, and exact name. */
  byKindAndName(query: ObjectReading): readonly number[];
  byName(name: string): readonly number[];
  byNameInAnyCase(name: string): readonly number[];
  /** By wildcards: `*` is any string, `?` any character. */
  byPattern(
    query: ObjectReading & {
      /** The name is literal; only the kind may be a wildcard. */
      readonly isExact?: boolean | undefined;
    },
  ): readonly number[];
  hasKind(kind: string): boolean;
}

export function createTargetIndex(objects: readonly KubeObject[]): TargetIndex {
  const byKind = new Map<string, Map<string, number[]>>();
  const byName = new Map<string, number[]>();
  let maxNameLength = 0;
  for (const [index, object] of objects.entries()) {
    const name = nameOf(object);
    maxNameLength = Math.max(maxNameLength, name.length);
    const kind = object.kind.toLowerCase();
    const names = getOrAdd(byKind, kind, () => new Map<string, number[]>());
    addToList(names, name, index);
    // An object without a name (`generateName`) can only be matched by a wildcard.
    if (name !== '') addToList(byName, name, index);
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
    maxNameLength,
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
        .flatMap((kindName) => Array.from(byKind.get(kindName) ?? []))
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
    // A spread call could exceed the maximum number of arguments.
    for (const index of indexes) group.push(index);
  }
  return grouped;
}

/** Not a regular expression: a hostile pattern with many stars must not be slow. */
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
