import { defineTrait } from '../define.ts';
import { choiceField, flagField, scope, textField } from '../../../../documents/index.ts';

export const fluxcdPostbuild = defineTrait({
  type: 'fluxcd-postbuild',
  summary:
    'Post-build substitution for the Flux Kustomizations of --layout flux. Does not change the objects themselves.',
  properties: {
    substitute: { type: 'object', description: 'Values by variable name.', open: { type: 'string' } },
    substituteFrom: {
      type: 'array',
      description: 'ConfigMaps and Secrets with values.',
      items: {
        type: 'object',
        description: 'A ConfigMap or Secret with values.',
        properties: {
          kind: { ...choiceField(['ConfigMap', 'Secret'], 'Kind of the object.'), required: true },
          name: { ...textField('dns-subdomain', 'Name of the object.'), required: true },
          optional: flagField('Whether the object may be missing.'),
        },
      },
    },
    scope,
  },
  relations: [
    { anyOf: ['substitute', 'substituteFrom'], ignoresEmpty: true, hint: 'add one of them, or remove the trait' },
  ],
  render({ properties: { substitute = {}, substituteFrom = [] } }) {
    const instead = 'use parameters of the package, or set the values in the Kustomization that applies it';
    return { kustomization: { substitute, substituteFrom, instead } };
  },
});
