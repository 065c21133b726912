import { gvkOf, isOfKind, nameOf, namespaceOf, scopeOf, withNamespace } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, RenderContext } from '../model/index.ts';
import { addStage, eventOfFlag, once } from '../provenance/index.ts';
import type { Rendering } from '../provenance/index.ts';
import { inputProblems } from './problems.ts';

interface Placement {
  readonly namespace: string | undefined;
  readonly which: 'all' | 'those-without';
}

/** A rendering with its objects in the namespace that `--namespace` names. */
export function placeInNamespace(
  rendering: Rendering,
  { namespace, which }: Placement,
  context: RenderContext,
): Rendering {
  if (namespace === undefined) return rendering;
  const { origins } = context;
  const objects = putInNamespace(rendering.objects, { namespace, which }, context);
  const objectOf = once(() => new Map(objects.map((object) => [origins.get(object), object])));
  // A chart gets the namespace itself, and may have set it.
  const sets = which === 'all' ? ['metadata', 'namespace'] : undefined;
  const provenance = addStage(rendering.provenance, {
    touches: (origin) => objectOf().has(origin),
    eventsOf(origin) {
      const after = objectOf().get(origin);
      return after === undefined ? [] : [eventOfFlag({ words: `--namespace ${namespace}`, sets, after })];
    },
  });
  const facts = { ...rendering.facts };
  return { objects, provenance, facts: { ...facts, namespacesElsewhere: facts.namespacesElsewhere ?? [namespace] } };
}

/**
 * Puts namespaced objects into a namespace. It looks at all objects at once, because a CustomResourceDefinition among them
 * says whether its kind is namespaced; a kind that nobody knows is taken for namespaced, as most are, and that is said.
 * Where all move, bindings keep pointing to the ServiceAccounts among them.
 */
export function putInNamespace(
  objects: readonly KubeObject[],
  { namespace, which }: Placement & { readonly namespace: string },
  { origins, report }: Pick<RenderContext, 'origins' | 'report'>,
): readonly KubeObject[] {
  const guessed = new Set<string>();
  const accounts = which === 'all' ? accountsAmong(objects) : new Set<string>();
  return objects.map((given) => {
    const object = followAccounts(given, { accounts, namespace });
    if (object !== given) carryOrigin(given, object);
    if (which === 'those-without' && namespaceOf(object) !== '') return object;
    const type = gvkOf(object);
    const scope = type === undefined ? undefined : scopeOf(type, objects);
    if (scope === 'Cluster') return object;
    const kind = `${object.apiVersion}/${object.kind}`;
    if (scope === undefined && !guessed.has(kind)) {
      guessed.add(kind);
      report(inputProblems.create('input-scope-unknown', { kind, namespace }, { location: locate(object) }));
    }
    const placed = withNamespace(object, namespace);
    carryOrigin(object, placed);
    return placed;
  });

  function carryOrigin(from: KubeObject, to: KubeObject): void {
    const origin = origins.get(from);
    if (origin !== undefined) origins.set(to, origin);
  }

  function locate(object: KubeObject) {
    const text = origins.get(object)?.text;
    if (text === undefined) return undefined;
    return { file: text.source.path, document: text.document, path: [...(text.path ?? []), 'kind'] };
  }
}

/** ServiceAccounts by namespace and name; one without a namespace may be meant by a subject with any. */
function accountsAmong(objects: readonly KubeObject[]): ReadonlySet<string> {
  const accounts = objects.filter((object) => isOfKind(object, { group: '', kind: 'ServiceAccount' }));
  return new Set(accounts.map((account) => `${namespaceOf(account)}/${nameOf(account)}`));
}

function followAccounts(
  object: KubeObject,
  { accounts, namespace }: { readonly accounts: ReadonlySet<string>; readonly namespace: string },
): KubeObject {
  const { apiVersion, kind, subjects } = object;
  const isBinding = kind === 'RoleBinding' || kind === 'ClusterRoleBinding';
  if (!isBinding || !apiVersion.startsWith('rbac.authorization.k8s.io/') || !isJsonArray(subjects)) return object;
  const followed = subjects.map((subject): Json => {
    if (!isJsonObject(subject) || subject.kind !== 'ServiceAccount' || typeof subject.name !== 'string') return subject;
    const { namespace: old = '' } = subject;
    if (typeof old !== 'string' || old === namespace) return subject;
    const isAmong = accounts.has(`${old}/${subject.name}`) || accounts.has(`/${subject.name}`);
    return isAmong ? { ...subject, namespace } : subject;
  });
  return followed.some((subject, index) => subject !== subjects[index]) ? { ...object, subjects: followed } : object;
}
