import type { KubeObject, ObjectName } from '../model/index.ts';
import { nameOf, namespaceOf, parseApiVersion } from './identity.ts';
import { kindsNamed } from './kind-names.ts';

/** What findings call an object. */
export function objectNameOf(object: KubeObject): ObjectName {
  const group = parseApiVersion(object.apiVersion)?.group ?? object.apiVersion;
  return { group, kind: object.kind, namespace: namespaceOf(object), name: nameOf(object) };
}

/** Matches the objects that a person means by a text. */
export type ObjectMatcher = (name: ObjectName) => boolean;

interface Reading {
  readonly namespace?: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Reads an object as kubectl names it (`deployment/web`, `deployment.apps/web`, `shop/deployment/web`) or as patches and
 * `kurel explain` do (`deployment.web`, `shop/deployment.web`). `undefined` when the text names no kind or no name.
 */
export function parseObjectName(text: string): ObjectMatcher | undefined {
  const readings = readingsOf(text.split('/')).filter(({ kind, name }) => kind !== '' && name !== '');
  if (readings.length === 0) return undefined;
  const matchers = readings.map(({ namespace, kind, name }): ObjectMatcher => {
    const isKind = createKindMatcher(kind);
    return (object) =>
      object.name === name && (namespace === undefined || object.namespace === namespace) && isKind(object);
  });
  return (name) => matchers.some((matches) => matches(name));
}

/** Two parts may be kind and name, or a namespace and `kind.name`: a name may have dots, a namespace may be called like a kind. */
function readingsOf(parts: readonly string[]): readonly Reading[] {
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1) return splitAtDot(first);
  if (parts.length === 2) {
    return [{ kind: first, name: second }, ...splitAtDot(second, first)];
  }
  return parts.length === 3 ? [{ namespace: first, kind: second, name: third }] : [];
}

function splitAtDot(text: string, namespace?: string): readonly Reading[] {
  const dot = text.indexOf('.');
  const place = namespace === undefined ? {} : { namespace };
  return dot === -1 ? [] : [{ ...place, kind: text.slice(0, dot), name: text.slice(dot + 1) }];
}

/** `deployment`, `deploy`, `deployments`, `deployment.apps` or `deployment.v1.apps`, in any case. */
function createKindMatcher(text: string): ObjectMatcher {
  const [word = '', ...rest] = text.split('.');
  const kinds = new Set(kindsNamed(word));
  const groups = rest.length === 0 ? undefined : new Set([rest.join('.'), rest.slice(1).join('.')]);
  return ({ kind, group }) => kinds.has(kind.toLowerCase()) && (groups === undefined || groups.has(group));
}
