import { defineProblems } from '../../../../diagnostics/index.ts';
import { createClaimSpec } from '../../pods/create-volumes.ts';
import { accessModes, storageClass } from '../../pods/volume-property.ts';
import { defineTrait } from '../define.ts';
import { scope, textField } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'pvc-size': {
    summary: 'A claim has no size, and the policy has no default.',
    message: () => 'required field "size" is missing, and the policy has no default',
    hint: () => 'add "size", such as 5Gi, or set defaults.storageSize in the policy',
    fix: 'Set size, such as 5Gi, or set spec.defaults.storageSize in the policy.',
  },
}));

export const pvc = defineTrait({
  type: 'pvc',
  summary: 'PersistentVolumeClaim for use by other objects. A volume with claimName mounts it.',
  capability: {
    isNeeded: () => false,
    rendering: { storageClassName: storageClass },
    example: 'pvc:\n  rendering:\n    storageClassName: standard',
  },
  properties: {
    name: { ...textField('dns-subdomain', 'Name of the claim.'), required: true },
    size: {
      type: 'quantity',
      description: 'Storage size of the claim.',
      policyDefault: 'storageSize',
    },
    storageClassName: {
      ...storageClass,
      description:
        'StorageClass of the claim. Defaults to that of the platform, then of the cluster; "" selects that of the cluster.',
    },
    accessModes,
    scope,
  },
  problems,
  render({ component, properties: { name, size, storageClassName, accessModes: modes }, report }) {
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
