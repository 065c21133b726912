import { defineTrait } from '../define.ts';
import { scope, textField } from '../../../../documents/index.ts';

export const fluxcdPatches = defineTrait({
  type: 'fluxcd-patches',
  summary: 'Patches for the Flux Kustomizations of --layout flux. Does not change the objects themselves.',
  properties: {
    patches: {
      type: 'array',
      description: 'Patches of the Flux Kustomization.',
      required: true,
      minItems: 1,
      items: {
        type: 'object',
        description: 'A patch and its target.',
        properties: {
          patch: { ...textField('filled', 'Strategic merge patch or list of JSON patch operations.'), required: true },
          target: {
            type: 'object',
            description: 'Objects that the patch applies to.',
            properties: {
              group: { type: 'string', description: 'API group of the objects.' },
              version: textField('filled', 'API version of the objects.'),
              kind: textField('filled', 'Kind of the objects.'),
              name: textField('filled', 'Name of the objects.'),
              namespace: textField('filled', 'Namespace of the objects.'),
              labelSelector: textField('filled', 'Label selector for the objects.'),
              annotationSelector: textField('filled', 'Annotation selector for the objects.'),
            },
          },
        },
      },
    },
    scope,
  },
  render({ properties: { patches } }) {
    const instead = 'put the patches in patches/ next to app.yaml, where kurel applies them';
    return { kustomization: { patches, instead } };
  },
});
