import { nearest } from '../diagnostics/index.ts';
import {
  formatObject,
  formatObjects,
  kindsNamed,
  nameOf,
  namespaceOf,
  objectNameOf,
  readObjectName,
} from '../kube/index.ts';
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
  const matches = findAll(objects, text);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return { object: only };
  if (only !== undefined) return { problem: describeAmbiguity(matches, text) };
  const [gone] = findAll(
    removed.map(({ object }) => object),
    text,
  );
  if (gone !== undefined) {
    const { location } = removed.find(({ object }) => object === gone)!;
    return { problem: traceProblems.create('explain-object-removed', { text: formatObject(gone) }, { location }) };
  }
  const names = formatObjects(objects);
  const near = findNear(objects, text);
  return { problem: traceProblems.create('explain-object-unknown', { text, near, names }) };
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
    const matches = findByKind(named, kind.toLowerCase());
    if (matches.length > 0) return matches;
  }
  const slash = text.indexOf('/');
  const inside = objects.filter((object) => slash === -1 || namespaceOf(object) === text.slice(0, slash));
  return inside.filter((object) => nameOf(object) === text.slice(slash + 1));
}

/** An exact kind, kubectl's short name or a plural takes precedence over other abbreviations. */
function findByKind(objects: readonly KubeObject[], kind: string): readonly KubeObject[] {
  for (const named of kindsNamed(kind)) {
    const matches = objects.filter((object) => object.kind.toLowerCase() === named);
    if (matches.length > 0) return matches;
  }
  const matches = objects.filter((object) => isShort(kind, object.kind.toLowerCase()));
  // `depl` is Deployment, even if there is a DeploymentPolicy.
  const shortest = matches.reduce((least, object) => Math.min(least, object.kind.length), Infinity);
  return matches.filter((object) => object.kind.length === shortest);
}

/** `depl`, `stset`, `netpolicy`: letters of the kind in order, starting with the first. */
function isShort(word: string, kind: string): boolean {
  if (word === '' || word[0] !== kind[0]) return false;
  let at = 0;
  for (const letter of kind) if (letter === word[at]) at += 1;
  return at === word.length;
}

function describeAmbiguity(matches: readonly KubeObject[], text: string): Diagnostic {
  const candidates = formatObjects(matches);
  const differ = new Set(candidates).size === candidates.length;
  const isNamespaced = new Set(matches.map(({ kind }) => kind)).size < matches.length;
  const isGrouped = new Set(matches.map(formatObject)).size < matches.length;
  const advice = !differ
    ? undefined
    : isGrouped
      ? 'use kind@group/name'
      : isNamespaced
        ? 'use namespace/kind.name'
        : 'use kind.name';
  return traceProblems.create('explain-object-ambiguous', { text, count: matches.length, candidates, advice });
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
    const match = objects.find((object) => describe(object) === near);
    if (match !== undefined) return formatObject(match);
  }
  return undefined;
}
