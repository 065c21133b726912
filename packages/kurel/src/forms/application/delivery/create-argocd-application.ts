import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { Delivery } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';

interface Asked {
  readonly name: string;
  readonly delivery: Delivery;
  readonly source: JsonObject;
  /** Of objects that name none. */
  readonly namespace: string;
  /** Whether what is no longer in the source goes away, and everything together with the Application. */
  readonly prune: boolean;
  /** Whether what somebody changed in the cluster is changed back. */
  readonly selfHeal: boolean;
  readonly syncOptions?: readonly string[];
}

/**
 * An Application that does what the objects of Flux would do: it is applied without anybody asking for it, and what it made
 * is removed with it.
 */
export function createArgocdApplication(asked: Asked): KubeObject {
  const { name, delivery, source, namespace, prune, selfHeal, syncOptions = [] } = asked;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: given({
      name: delivery.nameOf(name),
      namespace: delivery.namespace,
      finalizers: prune ? ['resources-finalizer.argocd.argoproj.io'] : undefined,
    }),
    spec: {
      project: 'default',
      source,
      destination: { server: 'https://kubernetes.default.svc', namespace },
      syncPolicy: given({
        automated: given({ prune: prune || undefined, selfHeal: selfHeal || undefined }),
        syncOptions: syncOptions.length === 0 ? undefined : syncOptions,
      }),
    },
  };
}
