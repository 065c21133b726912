import { quote } from '../../../diagnostics/index.ts';
import { containersOf, has, mappingAt, textAt } from '../../../kube/index.ts';
import type { PodSite } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import { given } from '../catalog/given.ts';
import type { Level } from './check-level.ts';

/** What is asked of all containers of a pod. */
export interface Hardening {
  readonly psaLevel: Level;
  readonly runAsNonRoot?: boolean | undefined;
  readonly allowPrivilegeEscalation?: boolean | undefined;
  readonly readOnlyRootFilesystem?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly runAsGroup?: number | undefined;
  readonly fsGroup?: number | undefined;
}

/** What the trait says of the pod and of each container, by its properties and by its level. */
interface Demands {
  readonly ofPod: JsonObject;
  readonly ofContainers: JsonObject;
  /** Said of the pod, which containers follow unless they say otherwise. */
  readonly inherited: JsonObject;
}

function demandsOf(asked: Hardening): Demands {
  const isRestricted = asked.psaLevel === 'restricted';
  const runAsNonRoot = asked.runAsNonRoot ?? (isRestricted ? true : undefined);
  const seccompProfile = isRestricted ? { type: 'RuntimeDefault' } : undefined;
  const { runAsUser, runAsGroup, fsGroup } = asked;
  return {
    ofPod: given({ runAsNonRoot, runAsUser, runAsGroup, fsGroup, seccompProfile }),
    ofContainers: given({
      runAsNonRoot,
      allowPrivilegeEscalation: asked.allowPrivilegeEscalation ?? (isRestricted ? false : undefined),
      readOnlyRootFilesystem: asked.readOnlyRootFilesystem ?? (isRestricted ? true : undefined),
      capabilities: isRestricted ? { drop: ['ALL'] } : undefined,
      seccompProfile,
    }),
    inherited: given({ runAsUser, runAsGroup }),
  };
}

/** The spec of a pod with what the trait says, in all its containers. What the pod says beside it stays. */
export function hardenPod(spec: JsonObject, asked: Hardening): JsonObject {
  const { ofPod, ofContainers, inherited } = demandsOf(asked);
  // Containers follow their pod where it says the same itself.
  const own = contextOf(spec);
  const isFollowed = (key: string): boolean => has(own, key) && !contradicts(key, own[key]!, ofPod[key]);
  const entries = Object.entries(withContext(spec, ofPod)).map(([key, value]): [string, Json] => {
    const isList = key === 'containers' || key === 'initContainers';
    return [key, isList && Array.isArray(value) ? value.map((item: Json) => hardenContainer(item)) : value];
  });
  return Object.fromEntries(entries);

  function hardenContainer(container: Json): Json {
    if (!isJsonObject(container)) return container;
    const parsed = contextOf(container);
    const left = Object.entries(parsed).filter(
      ([key, value]) => !has(inherited, key) || !contradicts(key, value, inherited[key]),
    );
    const wanted = Object.entries(ofContainers).filter(([key]) => has(parsed, key) || !isFollowed(key));
    const isSame = left.length === Object.keys(parsed).length;
    const kept = isSame ? container : { ...container, securityContext: Object.fromEntries(left) };
    return withContext(kept, Object.fromEntries(wanted));
  }
}

interface Outranked {
  readonly key: string;
  /** `the pod`, `container "web"` */
  readonly of: string;
  readonly found: Json;
  readonly asked: Json;
}

/** What a pod and its containers say that the trait says otherwise. */
export function findOutranked(pod: PodSite, asked: Hardening): readonly Outranked[] {
  const { ofPod, ofContainers, inherited } = demandsOf(asked);
  const ofAll = { ...ofContainers, ...inherited };
  return [
    ...compare(contextOf(pod.spec), ofPod, 'the pod'),
    ...containersOf(pod).flatMap(({ container }) =>
      compare(contextOf(container), ofAll, `container ${quote(textAt(container, 'name') ?? '')}`),
    ),
  ];
}

function compare(parsed: JsonObject, demands: JsonObject, of: string): readonly Outranked[] {
  const keys = Object.keys(parsed).filter((key) => has(demands, key) && contradicts(key, parsed[key]!, demands[key]));
  return keys.map((key) => ({ key, of, found: parsed[key]!, asked: demands[key]! }));
}

/** Whether both cannot hold. A profile of its own is as good as the usual one, and all capabilities are dropped in any case. */
function contradicts(key: string, parsed: Json, asked: Json | undefined): boolean {
  if (asked === undefined || key === 'capabilities') return false;
  if (key === 'seccompProfile') return textAt(parsed, 'type') === 'Unconfined';
  return `${parsed as number}` !== `${asked as number}`;
}

/** What is null is not said. */
function contextOf(holder: JsonObject): JsonObject {
  const own = mappingAt(holder, 'securityContext') ?? {};
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
}

/** The security context of a pod or a container with what is asked for in it. */
function withContext(holder: JsonObject, asked: JsonObject): JsonObject {
  const parsed = contextOf(holder);
  const { capabilities } = asked;
  const outranking = Object.entries(asked).filter(
    ([key, value]) => has(parsed, key) && contradicts(key, parsed[key]!, value),
  );
  const merged = {
    ...asked,
    ...parsed,
    ...Object.fromEntries(outranking),
    // All are dropped, whichever the container names.
    ...(isJsonObject(capabilities) ? { capabilities: { ...mappingAt(parsed, 'capabilities'), ...capabilities } } : {}),
  };
  if (Object.keys(merged).length > 0) return put(holder, merged);
  const { securityContext: _, ...rest } = holder;
  return rest;
}

/** Pods have their context before their containers, containers have it last. */
function put(holder: JsonObject, securityContext: JsonObject): JsonObject {
  if (Object.hasOwn(holder, 'securityContext') || !Object.hasOwn(holder, 'containers')) {
    return { ...holder, securityContext };
  }
  const entries = Object.entries(holder);
  const index = entries.findIndex(([key]) => key === 'initContainers' || key === 'containers');
  return Object.fromEntries([
    ...entries.slice(0, index),
    ['securityContext', securityContext],
    ...entries.slice(index),
  ]);
}
