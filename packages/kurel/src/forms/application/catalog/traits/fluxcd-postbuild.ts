import { bundleProblems } from '../../delivery/bundle-problems.ts';
import { defineTrait } from '../define.ts';
import { scope } from '../scope.ts';

export const fluxcdPostbuild = defineTrait({
  type: 'fluxcd-postbuild',
  summary: 'Values for the Kustomization of Flux that applies the objects; without effect on the objects themselves.',
  properties: {
    substitute: { type: 'object', description: 'values by the names that stand for them', open: { type: 'string' } },
    substituteFrom: {
      type: 'array',
      description: 'ConfigMaps and Secrets with values',
      items: {
        type: 'object',
        description: 'a ConfigMap or Secret with values',
        properties: {
          kind: { type: 'string', description: 'its kind', required: true, enum: ['ConfigMap', 'Secret'] },
          name: { type: 'string', description: 'its name', required: true, format: 'dns-subdomain' },
          optional: { type: 'boolean', description: 'whether it may be missing' },
        },
      },
    },
    scope,
  },
  problems: bundleProblems,
  render({ properties: { substitute = {}, substituteFrom = [] }, report }) {
    if (Object.keys(substitute).length + substituteFrom.length === 0) {
      report(bundleProblems.create('substitution-empty', {}), []);
    }
    const instead =
      'let parameters of the package give the values, or write them into the Kustomization that applies it';
    report(bundleProblems.create('trait-of-flux', { trait: 'fluxcd-postbuild', instead }), []);
    return {};
  },
});
