import { nearest } from '../diagnostics/index.ts';
import { formatObject, formatObjects, nameOf, namespaceOf, objectNameOf, readObjectName } from '../kube/index.ts';
import type { Diagnostic, KubeObject, Location } from '../model/index.ts';
import { traceProblems } from './problems.ts';

/** An object that a patch removed. */
export interface RemovedObject {
  readonly object: KubeObject;
  readonly location: Location;
}

/**
 * Finds the object for a name such as `web`, `deployment.web`, `shop/deploy.web`, `service@serving.knative.dev/web` or, in kubectl
 * style, `deployment/web`, or explains why there is none. The kind can be abbreviated if the name is still unique.
 */
export function findObject(
  objects: readonly KubeObject[],
  text: string,
  removed: readonly RemovedObject[] = [],
): { readonly object: KubeObject } | { readonly problem: Diagnostic } {
  const found = findAll(objects, text);
  const [only] = found;
  if (only !== undefined && found.length === 1) return { object: only };
  if (only !== undefined) return { problem: describeAmbiguity(found, text) };
  const [gone] = findAll(
    removed.map(({ object }) => object),
    text,
  );
  if (gone !== undefined) {
    const { location } = removed.find(({ object }) => object === gone)!;
    return { problem: traceProblems.create('explain-object-removed', { text: formatObject(gone) }, { location }) };
  }
  const known = formatObjects(objects);
  const near = findNear(objects, text);
  return { problem: traceProblems.create('explain-object-unknown', { text, near, known }) };
}

/** The first interpretation that matches an object wins; a bare name may look like `kind.name` and comes last. */
function findAll(objects: readonly KubeObject[], text: string): readonly KubeObject[] {
  for (const { namespace, kind, groups, name } of readObjectName(text)) {
    const named = objects.filter(
      (object) =>
        nameOf(object) === name &&
        (namespace === undefined || namespaceOf(object) === namespace) &&
        (groups === undefined || groups.has(objectNameOf(object).group)),
    );
    const found = findByKind(named, kind.toLowerCase());
    if (found.length > 0) return found;
  }
  const slash = text.indexOf('/');
  const inside = objects.filter((object) => slash === -1 || namespaceOf(object) === text.slice(0, slash));
  return inside.filter((object) => nameOf(object) === text.slice(slash + 1));
}

/** An exact kind takes precedence over a plural, and both over an abbreviation. */
function findByKind(objects: readonly KubeObject[], kind: string): readonly KubeObject[] {
  for (const fits of [isKind, isPlural, isShort]) {
    const found = objects.filter((object) => fits(kind, object.kind.toLowerCase()));
    // `svc` is Service, although it also abbreviates ServiceAccount.
    const shortest = found.reduce((least, object) => Math.min(least, object.kind.length), Infinity);
    if (found.length > 0) return found.filter((object) => object.kind.length === shortest);
  }
  return [];
}

function isKind(word: string, kind: string): boolean {
  return word === kind;
}

function isPlural(word: string, kind: string): boolean {
  return [`${kind}s`, `${kind}es`, kind.replace(/y$/, 'ies')].includes(word);
}

/** `deploy`, `svc`, `cm`, `pvc`: letters of the kind in order, starting with the first. */
function isShort(word: string, kind: string): boolean {
  if (word === '' || word[0] !== kind[0]) return false;
  let at = 0;
  for (const letter of kind) if (letter === word[at]) at += 1;
  return at === word.length;
}

function describeAmbiguity(found: readonly KubeObject[], text: string): Diagnostic {
  const candidates = formatObjects(found);
  const differ = new Set(candidates).size === candidates.length;
  const isNamespaced = new Set(found.map(({ kind }) => kind)).size < found.length;
  const isGrouped = new Set(found.map(formatObject)).size < found.length;
  const advice = !differ
    ? undefined
    : isGrouped
      ? 'use kind@group/name'
      : isNamespaced
        ? 'use namespace/kind.name'
        : 'use kind.name';
  return traceProblems.create('explain-object-ambiguous', { text, count: found.length, candidates, advice });
}

/** Finds a typo in any part: the whole name, `kind.name` or the name alone. */
function findNear(objects: readonly KubeObject[], text: string): string | undefined {
  const words = text.slice(text.indexOf('/') + 1);
  const name = words.slice(words.indexOf('.') + 1);
  const ways: readonly [string, (object: KubeObject) => string][] = [
    [text.toLowerCase(), formatObject],
    [words.toLowerCase(), (object) => `${object.kind.toLowerCase()}.${nameOf(object)}`],
    [name, nameOf],
  ];
  for (const [word, describe] of ways) {
    const near = nearest(word, objects.map(describe));
    const found = objects.find((object) => describe(object) === near);
    if (found !== undefined) return formatObject(found);
  }
  return undefined;
}
