import { has, mappingAt } from '../../../kube/index.ts';
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

/** The spec of a pod with what a level demands, in all its containers. What the pod says itself stays. */
export function hardenPod(spec: JsonObject, asked: Hardening): JsonObject {
  const isRestricted = asked.psaLevel === 'restricted';
  const nonRoot = asked.runAsNonRoot ?? (isRestricted ? true : undefined);
  const seccompProfile = isRestricted ? { type: 'RuntimeDefault' } : undefined;
  const { runAsUser, runAsGroup, fsGroup } = asked;
  const ofPod = given({ runAsNonRoot: nonRoot, runAsUser, runAsGroup, fsGroup, seccompProfile });
  // Containers follow their pod where it speaks for itself.
  const own = mappingAt(spec, 'securityContext');
  const ofContainers = given({
    runAsNonRoot: has(own, 'runAsNonRoot') ? undefined : nonRoot,
    allowPrivilegeEscalation: asked.allowPrivilegeEscalation ?? (isRestricted ? false : undefined),
    readOnlyRootFilesystem: asked.readOnlyRootFilesystem ?? (isRestricted ? true : undefined),
    capabilities: isRestricted ? { drop: ['ALL'] } : undefined,
    seccompProfile: has(own, 'seccompProfile') ? undefined : seccompProfile,
  });
  const entries = Object.entries(withContext(spec, ofPod)).map(([key, value]): [string, Json] => {
    const isList = key === 'containers' || key === 'initContainers';
    return [
      key,
      isList && Array.isArray(value) ? value.map((item: Json) => hardenContainer(item, ofContainers)) : value,
    ];
  });
  return Object.fromEntries(entries);
}

function hardenContainer(container: Json, asked: JsonObject): Json {
  return isJsonObject(container) ? withContext(container, asked) : container;
}

/** The security context of a pod or a container with what is asked for below what it says. */
function withContext(holder: JsonObject, asked: JsonObject): JsonObject {
  const own = mappingAt(holder, 'securityContext') ?? {};
  const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
  const { capabilities } = asked;
  const merged = {
    ...asked,
    ...said,
    // All are dropped, whichever the container names.
    ...(isJsonObject(capabilities) ? { capabilities: { ...mappingAt(own, 'capabilities'), ...capabilities } } : {}),
  };
  if (Object.keys(merged).length === 0) return holder;
  return put(holder, merged);
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
