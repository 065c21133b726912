import { defineProblems } from '../../../../diagnostics/index.ts';
import { defineTrait } from '../define.ts';
import { scope } from '../scope.ts';

const problems = defineProblems({
  'substitution-empty': {
    severity: 'error',
    summary: 'Values are to be put into the objects, and there are none.',
    message: () => 'neither "substitute" nor "substituteFrom" says which values are put in',
    hint: () => 'set one of them, or remove the trait',
  },
});

export const fluxcdPostbuild = defineTrait({
  type: 'fluxcd-postbuild',
  summary: 'Values for the Flux Kustomizations that --layout flux writes; without effect on the objects themselves.',
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
  problems,
  render({ properties: { substitute = {}, substituteFrom = [] }, report }) {
    if (Object.keys(substitute).length + substituteFrom.length === 0) {
      report(problems.create('substitution-empty', {}), []);
    }
    const instead =
      'let parameters of the package set the values, or write them into the Kustomization that applies it';
    return { kustomization: { substitute, substituteFrom, instead } };
  },
});
