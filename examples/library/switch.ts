import { Engine, filters, renderers, transformers } from 'kurel';
import type { KubeObject } from 'kurel';

const { namespace } = filters;
const { annotations, chain, labels } = transformers;

/** Objects of each environment get the marks of that environment; whatever is neither production nor staging is `dev`. */
const markEnvironment = transformers.switch(
  [
    {
      when: namespace.is('production'),
      then: chain(labels.set({ env: 'prod' }), annotations.set({ tier: 'critical' })),
    },
    {
      when: namespace.is('staging'),
      then: labels.set({ env: 'staging' }),
    },
  ],
  labels.set({ env: 'dev' }),
);

/** In production only Deployments are of interest, in staging only Services; everything else passes. */
const keepRelevant = filters.and(
  filters.when(namespace.is('production'), filters.gvk('apps/v1/Deployment')),
  filters.when(namespace.is('staging'), filters.gvk('v1/Service')),
);

export async function renderEnvironments(objects: readonly KubeObject[]): Promise<KubeObject[]> {
  const engine = new Engine({
    renderers: [renderers.memory({ objects })],
    filters: [keepRelevant],
    transformers: [markEnvironment],
  });
  return await engine.render();
}
