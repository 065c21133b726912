import { inGroup } from '../documents/field.ts';
import type { Field } from '../documents/field.ts';
import { ofWorkload } from './kubernetes-field.ts';

const count = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;

const history = {
  revisionHistoryLimit: {
    ...count,
    description: 'Number of old revisions to keep for rollbacks. Defaults to the Kubernetes default of 10.',
  },
  minReadySeconds: { ...count, description: 'Seconds a new pod must be ready before it counts as available.' },
} as const;

/** How a Deployment replaces its pods. */
export const deploymentRollout = inGroup('Rollout', {
  strategy: ofWorkload(
    'Deployment',
    {
      type: 'object',
      description:
        'How to replace old pods. Defaults to Recreate with a volume that only one node can mount, otherwise to RollingUpdate.',
    },
    'strategy',
  ),
  ...history,
  progressDeadlineSeconds: {
    ...count,
    description: 'Seconds a rollout may take to make progress. Defaults to the Kubernetes default of 600.',
  },
});

/** How a StatefulSet replaces its pods. */
export const statefulSetRollout = inGroup('Rollout', {
  updateStrategy: ofWorkload(
    'StatefulSet',
    { type: 'object', description: 'How to replace old pods.' },
    'updateStrategy',
  ),
  ...history,
  podManagementPolicy: {
    type: 'string',
    description: 'Whether pods start and stop one after another, or all at once.',
    enum: ['OrderedReady', 'Parallel'],
    default: 'OrderedReady',
  },
  ordinals: ofWorkload(
    'StatefulSet',
    { type: 'object', description: 'Numbers of the pods. They start at 0 by default.' },
    'ordinals',
  ),
});

/** How a DaemonSet replaces its pods. */
export const daemonSetRollout = inGroup('Rollout', {
  updateStrategy: ofWorkload(
    'DaemonSet',
    { type: 'object', description: 'How to replace old pods.' },
    'updateStrategy',
  ),
  ...history,
});
