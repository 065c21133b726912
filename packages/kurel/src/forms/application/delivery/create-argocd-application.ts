import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { Delivery } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';

interface Asked {
  readonly name: string;
  readonly delivery: Delivery;
  readonly source: JsonObject;
  /** For objects without a namespace. */
  readonly namespace: string;
  /** Whether objects removed from the source are deleted, and all objects together with the Application. */
  readonly prune: boolean;
  /** Whether changes made in the cluster are reverted. */
  readonly selfHeal: boolean;
  readonly syncOptions?: readonly string[];
}

/**
 * An Application that behaves like the Flux objects: it syncs automatically, and its objects are deleted together with it.
 */
export function createArgocdApplication(asked: Asked): KubeObject {
  const { name, delivery, source, namespace, prune, selfHeal, syncOptions = [] } = asked;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: defined({
      name: delivery.nameOf(name),
      namespace: delivery.namespace,
      finalizers: prune ? ['resources-finalizer.argocd.argoproj.io'] : undefined,
    }),
    spec: {
      project: 'default',
      source,
      destination: { server: 'https://kubernetes.default.svc', namespace },
      syncPolicy: defined({
        automated: defined({ prune: prune || undefined, selfHeal: selfHeal || undefined }),
        syncOptions: syncOptions.length === 0 ? undefined : syncOptions,
      }),
    },
  };
}
