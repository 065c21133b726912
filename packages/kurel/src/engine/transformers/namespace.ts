import type { KubeObject, Transformer } from '../../model/index.ts';
import { gvkOf, namespaceOf, scopeOf, withNamespace } from '../../kube/index.ts';
import { pure } from '../steps.ts';

export interface NamespaceOptions {
  /** Leaves objects of kinds that are known to live outside namespaces as they are. */
  readonly skipClusterScoped?: boolean;
}

/** Sets the namespace of every object; `''` removes the field. */
function setNamespace(namespace: string, options: NamespaceOptions = {}): Transformer {
  return pure((object) => (isSkipped(object, options) ? object : withNamespace(object, namespace)));
}

/** Sets the namespace of objects that have none. */
function ensureNamespace(namespace: string, options: NamespaceOptions = {}): Transformer {
  return pure((object) =>
    namespaceOf(object) !== '' || isSkipped(object, options) ? object : withNamespace(object, namespace),
  );
}

function isSkipped(object: KubeObject, options: NamespaceOptions): boolean {
  if (options.skipClusterScoped !== true) return false;
  const type = gvkOf(object);
  return type !== undefined && scopeOf(type) === 'Cluster';
}

// In the engine's design: `namespace.Set` and `namespace.EnsureDefault`.
export const namespaceTransformers = { set: setNamespace, ensureDefault: ensureNamespace };
