import type { Field } from '../../documents/field.ts';
import { defineTrait } from '../define.ts';
import { scope } from '../scope.ts';

const text = { type: 'string', format: 'filled' } as const satisfies Field;

export const fluxcdPatches = defineTrait({
  type: 'fluxcd-patches',
  summary: 'Patches for the Flux Kustomizations that --layout flux writes; without effect on the objects themselves.',
  properties: {
    patches: {
      type: 'array',
      description: 'the patches, as a Kustomization of Flux has them',
      required: true,
      minItems: 1,
      items: {
        type: 'object',
        description: 'a patch and what it is for',
        properties: {
          patch: { ...text, description: 'the patch itself', required: true },
          target: {
            type: 'object',
            description: 'which objects it is for',
            properties: {
              group: { type: 'string', description: 'API group of their kind' },
              version: { ...text, description: 'version of their kind' },
              kind: { ...text, description: 'their kind' },
              name: { ...text, description: 'their name' },
              namespace: { ...text, description: 'their namespace' },
              labelSelector: { ...text, description: 'labels that they have' },
              annotationSelector: { ...text, description: 'annotations that they have' },
            },
          },
        },
      },
    },
    scope,
  },
  render({ properties: { patches } }) {
    const instead = 'write the patches in the directory "patches" beside app.yaml, where kurel applies them';
    return { kustomization: { patches, instead } };
  },
});
