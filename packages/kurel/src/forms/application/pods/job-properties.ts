import type { Json, JsonObject } from '../../../model/index.ts';
import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';
import { defined, fieldsOf } from '../catalog/defined.ts';
import { count, kubernetesFields } from '../catalog/fields.ts';
import { inGroup } from '../documents/field.ts';
import type { Field } from '../documents/field.ts';
import { checkShared } from './create-volumes.ts';
import type { Volume } from './volume-property.ts';

export const seconds = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const satisfies Field;

/** The properties that are fields of a Job. How they depend on each other is checked in the finished object. */
const specProperties = inGroup('Jobs', {
  parallelism: {
    ...count,
    description: 'Pods that run at the same time. Defaults to the Kubernetes default of 1.',
  },
  completions: {
    ...count,
    description: 'Pods that must succeed. Defaults to 1; with "parallelism" alone, one success completes the Job.',
  },
  completionMode: {
    type: 'string',
    description:
      'NonIndexed: all pods are alike. Indexed: each pod has an index from 0 to completions - 1. Defaults to the Kubernetes default of NonIndexed.',
    enum: ['NonIndexed', 'Indexed'],
  },
  backoffLimit: { ...count, description: 'Number of retries before a Job fails.' },
  backoffLimitPerIndex: {
    ...count,
    description: 'Number of retries of each index before the index fails. Requires completionMode Indexed.',
  },
  maxFailedIndexes: {
    ...count,
    description: 'Number of failed indexes before the whole Job fails. Requires "backoffLimitPerIndex".',
  },
  ...kubernetesFields(['batch/v1', 'Job', 'spec'], {
    podFailurePolicy: {
      type: 'object',
      description: 'How exit codes and conditions of failed pods count. Requires restartPolicy Never.',
    },
    successPolicy: {
      type: 'object',
      description: 'Which indexes must succeed for the Job to succeed. Requires completionMode Indexed.',
    },
  }),
  podReplacementPolicy: {
    type: 'string',
    description:
      'When a terminating pod is replaced: at once, or after it has failed. Must be Failed with "podFailurePolicy".',
    enum: ['TerminatingOrFailed', 'Failed'],
  },
  activeDeadlineSeconds: {
    ...seconds,
    description: 'Maximum duration of a Job in seconds, including retries.',
    minimum: 1,
  },
  ttlSecondsAfterFinished: { ...count, description: 'Seconds to keep a finished Job.' },
});

/** Properties of a Job, or of the Jobs of a CronJob. */
export const jobProperties = {
  ...specProperties,
  restartPolicy: {
    group: 'Jobs',
    type: 'string',
    description: 'Restart policy of the pods. Defaults to OnFailure, or to Never with "podFailurePolicy".',
    enum: ['OnFailure', 'Never'],
  },
} as const;

type JobProperties = PropertiesOf<typeof jobProperties>;

export function restartPolicyOf({ restartPolicy, podFailurePolicy }: JobProperties): 'OnFailure' | 'Never' {
  return restartPolicy ?? (podFailurePolicy === undefined ? 'OnFailure' : 'Never');
}

/** The spec of a Job; `own` are fields that only one of the components has. */
export function createJobSpec(
  asked: JobProperties,
  template: JsonObject,
  own: Readonly<Record<string, Json | undefined>> = {},
): JsonObject {
  return defined({ ...fieldsOf(specProperties, asked), ...own, template });
}

type ParallelInput = Pick<
  ComponentInput<JobProperties & { readonly volumes?: readonly Volume[] }>,
  'properties' | 'report' | 'traitsOf'
>;

/** Pods that run at the same time share the volumes of the Job. */
export function checkParallelVolumes(input: ParallelInput): void {
  const { parallelism = 1, completions = parallelism, volumes } = input.properties;
  const pods = Math.min(parallelism, completions);
  if (pods <= 1) return;
  const advice = 'set "parallelism" to 1, or "accessModes" to [ReadWriteMany]';
  checkShared(volumes, { users: `${pods} parallel pods`, advice, input });
}
