import type { Cluster, ClusterEvent } from './cluster-client.ts';
import { runContainer } from './run-container.ts';
import type { Container } from './run-container.ts';

export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly hostname?: string;
    readonly securityContext: { readonly runAsUser: number };
    readonly volumes?: readonly { readonly name: string; readonly persistentVolumeClaim?: { claimName: string } }[];
    readonly containers: readonly [PodContainer];
  };
  readonly status: { readonly phase: string };
}

interface PodContainer {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly workingDir: string;
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
}

export interface Node {
  readonly namespace: string;
  /** Variables that the image sets. */
  readonly variablesOf: (pod: Pod) => Readonly<Record<string, string>>;
  /** The directories that stand for volumes, by the names of their claims. */
  readonly claims: Readonly<Record<string, string>>;
  /** Makes a directory that stands for the working directory in a new container of the image. */
  readonly unpack: () => string;
  /** Called when the container of a pod runs. */
  readonly onStart?: (pod: Pod, container: Container) => Promise<void>;
  /** Called when the container of a pod that is being deleted was asked to end. */
  readonly onTerminate?: (pod: Pod) => void;
}

export interface StartedPod {
  readonly pod: Pod;
  /** Undefined while it runs. */
  exitCode: number | undefined;
}

export interface PodRunner {
  /** The containers that were started, in order. */
  readonly started: readonly StartedPod[];
  /** The most pods that ran at the same time. */
  readonly most: () => number;
  /** Throws if something went wrong. */
  readonly check: () => void;
  /** Ends what still runs. */
  readonly stop: () => Promise<void>;
}

/** Plays the scheduler and the kubelet for the pods of a namespace: runs the container of each as a process, and reports its status. */
export function runPods(
  cluster: Cluster,
  { namespace, variablesOf, claims, unpack, onStart, onTerminate }: Node,
): PodRunner {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const known = new Map<string, Container | undefined>();
  const terminated = new Set<string>();
  const started: StartedPod[] = [];
  const failures: unknown[] = [];
  let [running, most] = [0, 0];

  async function run(pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    const { nodeName, hostname, securityContext } = pod.spec;
    const path = `${pods}/${pod.metadata.name}`;
    if (nodeName === undefined) {
      const metadata = { name: pod.metadata.name };
      const body = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'node' } };
      await cluster.get(`${path}/binding`, { method: 'POST', body });
    }
    const { command, args } = pod.spec.containers[0];
    const all = { ...variablesOf(pod), ...(await readVariables(pod)) };
    if (terminated.has(uid)) return;
    const container = runContainer({
      words: [...command, ...args].map((word) => expand(word, all)),
      variables: all,
      directory: directoryOf(pod),
      hostname: hostname ?? pod.metadata.name,
      user: securityContext.runAsUser,
    });
    known.set(uid, container);
    const own: StartedPod = { pod, exitCode: undefined };
    started.push(own);
    running += 1;
    most = Math.max(most, running);
    const startedAt = now();
    await report(pod, 'Running', { running: { startedAt } });
    if (onStart !== undefined) follow(onStart(pod, container));
    const exitCode = await container.ended;
    own.exitCode = exitCode;
    running -= 1;
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    const state = { terminated: { exitCode, reason, startedAt, finishedAt: now() } };
    await report(pod, exitCode === 0 ? 'Succeeded' : 'Failed', state);
    if (terminated.has(uid)) await remove(path, uid);
  }

  function directoryOf(pod: Pod): string {
    const { volumeMounts = [], workingDir } = pod.spec.containers[0];
    const mount = volumeMounts.find(({ mountPath }) => mountPath === workingDir);
    if (mount === undefined) return unpack();
    const volume = pod.spec.volumes?.find(({ name }) => name === mount.name);
    return claims[volume!.persistentVolumeClaim!.claimName]!;
  }

  async function report({ metadata, spec }: Pod, phase: string, state: object): Promise<void> {
    const { name, image } = spec.containers[0];
    const status = { name, image, imageID: image, ready: false, restartCount: 0, state };
    const body = { status: { phase, containerStatuses: [status] } };
    const type = 'application/strategic-merge-patch+json';
    await cluster.get(`${pods}/${metadata.name}/status`, { method: 'PATCH', type, body });
  }

  async function readVariables({ metadata, spec }: Pod): Promise<Record<string, string>> {
    const { env = [], envFrom = [] } = spec.containers[0];
    const read: Record<string, string> = {};
    for (const { secretRef } of envFrom) {
      const secret = `/api/v1/namespaces/${namespace}/secrets/${secretRef.name}`;
      const { data } = await cluster.get<{ data: Record<string, string> }>(secret);
      for (const [name, value] of Object.entries(data)) read[name] = Buffer.from(value, 'base64').toString();
    }
    for (const { name, value, valueFrom } of env) {
      const [, field, key] =
        /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(valueFrom?.fieldRef.fieldPath ?? '') ?? [];
      read[name] = field === undefined ? value! : metadata[field as 'labels' | 'annotations'][key!]!;
    }
    return read;
  }

  async function terminate(pod: Pod): Promise<void> {
    const { metadata } = pod;
    terminated.add(metadata.uid);
    const container = known.get(metadata.uid);
    if (container === undefined || container.hasEnded()) return remove(`${pods}/${metadata.name}`, metadata.uid);
    container.kill('SIGTERM');
    onTerminate?.(pod);
    const seconds = metadata.deletionGracePeriodSeconds ?? 30;
    const timer = setTimeout(() => container.kill('SIGKILL'), seconds * 1000);
    await container.ended;
    clearTimeout(timer);
  }

  async function remove(path: string, uid: string): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid } };
    // It is gone if the Job no longer counts it.
    await cluster.ask(path, { method: 'DELETE', body });
  }

  function handle({ type, object }: ClusterEvent<Pod>): void {
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    const { uid, deletionTimestamp } = object.metadata;
    const isNew = !known.has(uid) && object.status.phase === 'Pending';
    if (deletionTimestamp !== undefined) {
      if (!terminated.has(uid)) follow(terminate(object));
    } else if (isNew) {
      known.set(uid, undefined);
      follow(run(object));
    }
  }

  function follow(work: Promise<void>): void {
    work.catch((error: unknown) => void failures.push(error));
  }

  const unwatch = cluster.watch<Pod>(pods, { onEvent: handle, onFailure: (error) => void failures.push(error) });
  return {
    started,
    most: () => most,
    check: () => {
      if (failures.length > 0) throw failures[0];
    },
    stop: async () => {
      unwatch();
      for (const container of known.values()) {
        if (container === undefined || container.hasEnded()) continue;
        container.kill('SIGKILL');
        await container.ended;
      }
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

/** As Kubernetes does in commands and arguments. */
function expand(word: string, variables: Readonly<Record<string, string>>): string {
  return word.replaceAll(/\$\$|\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g, (text, name: string | undefined) =>
    name === undefined ? '$' : (variables[name] ?? text),
  );
}
