import { pure } from '../engine/index.ts';
import { gvkOf, namespaceOf, scopeOf, withNamespace } from '../kube/index.ts';
import type { KubeObject, PostRenderer } from '../model/index.ts';
import { inputProblems } from './problems.ts';

/**
 * Puts namespaced objects into a namespace. It looks at all objects at once, because a CustomResourceDefinition among them
 * says whether its kind is namespaced; a kind that nobody knows is taken for namespaced, as most are, and that is said.
 */
export function putInNamespace(namespace: string, which: 'all' | 'those-without'): PostRenderer {
  return pure((objects, { origins, report }) => {
    const guessed = new Set<string>();
    return objects.map((object) => {
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
      const origin = origins.get(object);
      if (origin !== undefined) origins.set(placed, origin);
      return placed;
    });

    function locate(object: KubeObject) {
      const text = origins.get(object)?.text;
      if (text === undefined) return undefined;
      return { file: text.source.path, document: text.document, path: [...(text.path ?? []), 'kind'] };
    }
  });
}
