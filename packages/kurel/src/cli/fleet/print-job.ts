import { quote } from '../../diagnostics/index.ts';
import { mostShards } from '../../fleet/index.ts';
import { writeYaml } from '../../index.ts';
import type { JsonObject } from '../../model/index.ts';
import { textFlag } from '../command.ts';
import type { FlagDefinitions, FlagValues } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { parseCacheUrl } from './cache/open-cache.ts';
import type { cacheFlags } from './cache/open-cache.ts';

export const jobFlags = {
  image: textFlag('IMAGE', 'image that has kurel, and the repository if there is no --claim.'),
  shards: textFlag('N', 'into how many shards to split the fleet.'),
  parallelism: textFlag('N', 'how many shards run at the same time; defaults to all.'),
  claim: textFlag(
    'NAME',
    'PersistentVolumeClaim with the repository, which shards write to; it is mounted at /workspace.',
  ),
  'secret-name': textFlag('NAME', 'Secret with KUREL_CACHE_KEY and credentials of the cache, as variables.'),
  cpu: textFlag('QUANTITY', 'CPU request of each shard; defaults to 1.'),
  memory: textFlag('QUANTITY', 'memory request and limit of each shard; defaults to 2Gi.'),
} as const satisfies FlagDefinitions;

/** Any user that is not root; the group can write to the volume. */
const user = 65_532;

interface JobCall {
  readonly flags: FlagValues<typeof jobFlags & Pick<typeof cacheFlags, 'cache' | 'cache-trust'>>;
  /** Names and patterns of targets, and flags for `kurel fleet build`. */
  readonly words: readonly string[];
}

/** An Indexed Job that builds a fleet in shards, one per index. Kubernetes counts from 0, which `--shard` accepts. */
export function formatJob({ flags, words }: JobCall): string {
  const { image, claim, cache, 'secret-name': secret } = flags;
  if (image === undefined || flags.shards === undefined) {
    throw new UsageError(
      'kurel fleet job requires --image and --shards',
      'for example --image registry.example.com/kurel:1 --shards 8',
    );
  }
  if (claim === undefined && cache === undefined) {
    throw new UsageError(
      'kurel fleet job requires --claim or --cache',
      'name where shards write: a PersistentVolumeClaim or a cache',
    );
  }
  checkCache(flags);
  const shards = readCount('shards', flags.shards);
  const parallelism = flags.parallelism === undefined ? shards : readCount('parallelism', flags.parallelism);
  const index = '$(JOB_COMPLETION_INDEX)';
  const container: JsonObject = {
    name: 'kurel',
    image,
    command: ['kurel'],
    args: [
      'fleet',
      'build',
      `--shard=${index}/${shards}`,
      ...(claim === undefined ? [] : [`--report=reports/${index}.json`]),
      ...[...(cache === undefined ? [] : [`--cache=${cache}`]), ...words].map(escapeVariables),
    ],
    workingDir: '/workspace',
    ...(secret === undefined ? {} : { envFrom: [{ secretRef: { name: secret } }] }),
    resources: {
      requests: { cpu: flags.cpu ?? '1', memory: flags.memory ?? '2Gi' },
      limits: { memory: flags.memory ?? '2Gi' },
    },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    ...(claim === undefined ? {} : { volumeMounts: [{ name: 'workspace', mountPath: '/workspace' }] }),
  };
  return writeYaml({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'kurel-fleet', labels: { 'app.kubernetes.io/name': 'kurel-fleet' } },
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: Math.min(parallelism, shards),
      backoffLimitPerIndex: 2,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          // Findings and wrong usage are the same in every attempt.
          { action: 'FailIndex', onExitCodes: { containerName: 'kurel', operator: 'In', values: [1] } },
          { action: 'FailJob', onExitCodes: { containerName: 'kurel', operator: 'In', values: [2] } },
        ],
      },
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': 'kurel-fleet' } },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            fsGroup: user,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [container],
          ...(claim === undefined
            ? {}
            : { volumes: [{ name: 'workspace', persistentVolumeClaim: { claimName: claim } }] }),
        },
      },
    },
  });
}

/** Refuses what could not work in a pod, and a password that everybody could read in the Job. */
function checkCache({ cache, claim, 'secret-name': secret, 'cache-trust': isTrusted }: JobCall['flags']): void {
  const url = cache === undefined ? undefined : parseCacheUrl(cache);
  if (cache !== undefined && url === undefined && claim === undefined) {
    throw new UsageError(
      'a directory in --cache requires --claim',
      'pass the claim that has the directory, or use a cache on a server',
    );
  }
  if (url !== undefined && secret === undefined && !isTrusted) {
    throw new UsageError(
      'a cache on a server requires --secret-name',
      'name a Secret with KUREL_CACHE_KEY; with --cache-trust, kurel believes everything that the server sends',
    );
  }
}

/** Kubernetes replaces `$(NAME)` in arguments. */
function escapeVariables(word: string): string {
  return word.replaceAll('$', '$$$$');
}

function readCount(name: 'shards' | 'parallelism', text: string): number {
  const count = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : Infinity;
  if (count <= mostShards) return count;
  throw new UsageError(`--${name} must be an integer from 1 to ${mostShards}, got ${quote(text)}`);
}
