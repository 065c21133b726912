import type { TracedField } from '../../../patch/index.ts';

interface Limits {
  readonly minimum: number;
  readonly maximum?: number;
}

const count: Limits = { minimum: 0 };
const port: Limits = { minimum: 1, maximum: 65_535 };
const userId: Limits = { minimum: 0, maximum: 2_147_483_647 };

/**
 * Limits that the API server checks in code (ValidateNonnegativeField, IsValidPortNum, IsValidUserID and the like, in the
 * validation packages of Kubernetes' APIs) and not in its schemas. These names mean the same in all kinds of Kubernetes.
 */
const limitsByName: ReadonlyMap<string, Limits> = new Map([
  ['activeDeadlineSeconds', count],
  ['backoffLimit', count],
  ['completions', count],
  ['containerPort', port],
  ['failedJobsHistoryLimit', count],
  ['failureThreshold', count],
  ['fsGroup', userId],
  ['hostPort', { minimum: 0, maximum: 65_535 }],
  ['initialDelaySeconds', count],
  ['maxReplicas', { minimum: 1 }],
  ['minReadySeconds', count],
  ['minReplicas', count],
  ['nodePort', { minimum: 0, maximum: 65_535 }],
  ['parallelism', count],
  ['periodSeconds', count],
  ['port', port],
  ['progressDeadlineSeconds', count],
  ['replicas', count],
  ['revisionHistoryLimit', count],
  ['runAsGroup', userId],
  ['runAsUser', userId],
  ['startingDeadlineSeconds', count],
  ['successThreshold', count],
  ['successfulJobsHistoryLimit', count],
  ['targetPort', port],
  ['terminationGracePeriodSeconds', count],
  ['timeoutSeconds', count],
  ['ttlSecondsAfterFinished', count],
]);

/** The limits of a number field; none for fields of CRDs, whose schemas say them. */
export function limitsOf({ path, builtIn }: TracedField): Limits | undefined {
  if (!builtIn) return undefined;
  const [holder, name = ''] = path.slice(-2);
  if (name === 'number') return holder === 'port' ? port : undefined;
  return limitsByName.get(name);
}
