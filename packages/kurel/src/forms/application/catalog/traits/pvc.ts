import { defineProblems } from '../../../../diagnostics/index.ts';
import { checkModes, createClaimSpec } from '../../pods/create-volumes.ts';
import { accessModes, storageClass } from '../../pods/volume-property.ts';
import { defineTrait } from '../define.ts';
import { scope } from '../scope.ts';

const problems = defineProblems({
  'pvc-size': {
    severity: 'error',
    summary: 'A claim does not say how much it asks for, and the policy has no default.',
    message: () => '"size" is missing in the claim, and the policy gives none',
    hint: () => 'write a size such as 5Gi, or let the policy give one with defaults.storageSize',
  },
});

export const pvc = defineTrait({
  type: 'pvc',
  summary: 'A PersistentVolumeClaim that is not mounted by the component; other objects name it.',
  capability: {
    isNeeded: () => false,
    rendering: { storageClassName: storageClass },
    example: 'pvc:\n  rendering:\n    storageClassName: standard',
  },
  properties: {
    name: { type: 'string', description: 'name of the claim', required: true, format: 'dns-subdomain' },
    size: {
      type: 'quantity',
      description: 'how much is asked for; what the policy says unless given',
      policyDefault: 'storageSize',
    },
    storageClassName: {
      ...storageClass,
      description:
        'StorageClass; that of the platform or of the cluster unless given, and that of the cluster when it is ""',
    },
    accessModes,
    scope,
  },
  problems,
  render({ component, properties: { name, size, storageClassName, accessModes: modes }, report }) {
    checkModes(modes, ['accessModes'], report);
    if (size === undefined) report(problems.create('pvc-size', {}), []);
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, labels: { app: component.name } },
      spec: createClaimSpec({ size, storageClass: storageClassName || undefined, accessModes: modes }),
    };
    return { objects: [claim] };
  },
});
