import type { KubeObject, Transformer } from '../../model/index.ts';
import { isClusterScoped, namespaceOf, withNamespace } from '../../kube/index.ts';
import { requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

export interface NamespaceOptions {
  /** Leaves objects of kinds that are known to live outside namespaces as they are. */
  readonly skipClusterScoped?: boolean;
}

// In the engine's design: `namespace.Set` and `namespace.EnsureDefault`.
export const namespaceTransformers = {
  /**
   * Sets the namespace of every object; `''` removes the field.
   * @example transformers.namespace.set('shop', { skipClusterScoped: true })
   */
  set: (namespace: string, options: NamespaceOptions = {}): Transformer => {
    requireStrings('the transformer namespace.set()', [namespace]);
    return pure((object) => (isSkipped(object, options) ? object : withNamespace(object, namespace)));
  },

  /** Sets the namespace of objects that have none. */
  ensureDefault: (namespace: string, options: NamespaceOptions = {}): Transformer => {
    requireStrings('the transformer namespace.ensureDefault()', [namespace]);
    return pure((object) =>
      namespaceOf(object) !== '' || isSkipped(object, options) ? object : withNamespace(object, namespace),
    );
  },
};

function isSkipped(object: KubeObject, options: NamespaceOptions): boolean {
  return options.skipClusterScoped === true && isClusterScoped(object);
}
