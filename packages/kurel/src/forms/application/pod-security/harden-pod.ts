import { quote } from '../../../diagnostics/index.ts';
import { containersOf, has, listAt, mappingAt, textAt } from '../../../kube/index.ts';
import type { PodSite } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { PropertiesOf } from '../catalog/define.ts';
import { defined } from '../catalog/present-fields.ts';
import { insertEntry } from '../pods/change-pods.ts';
import type { hardening } from '../../../documents/index.ts';

export type Hardening = Pick<Asked, 'psaLevel'> & { readonly [Key in keyof Asked]?: Asked[Key] | undefined };

type Asked = PropertiesOf<typeof hardening>;

/** The fields for the pod and for each container, from the properties and the level; containers inherit some from the pod. */
function demandsOf(asked: Hardening): Readonly<Record<'ofPod' | 'ofContainers' | 'inherited', JsonObject>> {
  const isRestricted = asked.psaLevel === 'restricted';
  const runAsNonRoot = asked.runAsNonRoot ?? (isRestricted ? true : undefined);
  const seccompProfile = isRestricted ? { type: 'RuntimeDefault' } : undefined;
  const { runAsUser, runAsGroup, fsGroup } = asked;
  return {
    ofPod: defined({ runAsNonRoot, runAsUser, runAsGroup, fsGroup, seccompProfile }),
    ofContainers: defined({
      runAsNonRoot,
      allowPrivilegeEscalation: asked.allowPrivilegeEscalation ?? (isRestricted ? false : undefined),
      readOnlyRootFilesystem: asked.readOnlyRootFilesystem ?? (isRestricted ? true : undefined),
      capabilities: isRestricted ? { drop: ['ALL'] } : undefined,
      seccompProfile,
    }),
    inherited: defined({ runAsUser, runAsGroup }),
  };
}

/** The pod spec with the settings of the trait in all containers; other settings are kept. */
export function hardenPod(spec: JsonObject, asked: Hardening): JsonObject {
  const { ofPod, ofContainers, inherited } = demandsOf(asked);
  // Containers inherit from the pod if it already has the same setting.
  const own = contextOf(spec);
  const isFollowed = (key: string): boolean => has(own, key) && !contradicts(key, own[key]!, ofPod[key]);
  return changeContainers(withContext(spec, ofPod), (container) => {
    const parsed = contextOf(container);
    const left = pick(parsed, (key, value) => !has(inherited, key) || !contradicts(key, value, inherited[key]));
    return withContext(
      container,
      pick(ofContainers, (key) => has(parsed, key) || !isFollowed(key)),
      left,
    );
  });
}

function pick(fields: JsonObject, isPicked: (key: string, value: Json) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => isPicked(key, value)));
}

function changeContainers(spec: JsonObject, change: (container: JsonObject) => JsonObject): JsonObject {
  const entries = Object.entries(spec).map(([key, value]): [string, Json] => {
    const isList = (key === 'containers' || key === 'initContainers') && isJsonArray(value);
    return [key, isList ? value.map((item) => (isJsonObject(item) ? change(item) : item)) : value];
  });
  return Object.fromEntries(entries);
}

/**
 * The pod spec with the settings where nobody has chosen: a setting of the author stays. Unlike `hardenPod` it sets a read-only
 * root file system only on request, because many images write to it.
 */
export function fillPod(spec: JsonObject, asked: Hardening): JsonObject {
  // The API server rejects these settings for Windows.
  if (textAt(mappingAt(spec, 'os'), 'name') === 'windows') return spec;
  const { ofPod, ofContainers } = demandsOf(asked);
  const own = contextOf(spec);
  const wanted = pick(ofPod, (key) => !has(own, key) && (key !== 'runAsNonRoot' || !isRoot(own)));
  const pod = withContext(spec, wanted);
  const isNonRoot = contextOf(pod)['runAsNonRoot'] === true && !has(own, 'runAsNonRoot');
  return changeContainers(pod, (container) => {
    const parsed = contextOf(container);
    const isPrivileged = parsed['privileged'] === true;
    const capabilities = mappingAt(parsed, 'capabilities');
    const added = listAt(capabilities, 'add');
    const isAdmin = added.includes('SYS_ADMIN') || added.includes('CAP_SYS_ADMIN');
    const fields = defined({
      // The author chose root for this container only.
      runAsNonRoot: isNonRoot && isRoot(parsed) ? false : undefined,
      // The API server rejects the combination with the privileges of the author.
      allowPrivilegeEscalation: isPrivileged || isAdmin ? undefined : ofContainers['allowPrivilegeEscalation'],
      readOnlyRootFilesystem: asked.readOnlyRootFilesystem,
      capabilities: isPrivileged || has(capabilities, 'drop') ? undefined : ofContainers['capabilities'],
    });
    const missing = pick(fields, (key) => key === 'capabilities' || !has(parsed, key));
    return Object.keys(missing).length === 0 ? container : withContext(container, missing);
  });
}

function isRoot(context: JsonObject): boolean {
  return has(context, 'runAsUser') && Number(context['runAsUser']) === 0;
}

/** Settings of a pod and its containers that the trait overrides. */
export function findOutranked(pod: PodSite, asked: Hardening) {
  const { ofPod, ofContainers, inherited } = demandsOf(asked);
  const ofAll = { ...ofContainers, ...inherited };
  return [
    ...compare(contextOf(pod.spec), ofPod, 'the pod'),
    ...containersOf(pod).flatMap(({ container }) =>
      compare(contextOf(container), ofAll, `container ${quote(textAt(container, 'name') ?? '')}`),
    ),
  ];
}

function compare(parsed: JsonObject, demands: JsonObject, of: string) {
  const keys = Object.keys(parsed).filter((key) => has(demands, key) && contradicts(key, parsed[key]!, demands[key]));
  return keys.map((key) => ({ key, of, value: parsed[key]!, asked: demands[key]! }));
}

/** Whether the settings conflict. A custom seccomp profile is acceptable, and all capabilities are dropped in any case. */
function contradicts(key: string, parsed: Json, asked: Json | undefined): boolean {
  if (asked === undefined || key === 'capabilities') return false;
  if (key === 'seccompProfile') return textAt(parsed, 'type') === 'Unconfined';
  return `${parsed as number}` !== `${asked as number}`;
}

/** Null counts as absent. */
function contextOf(holder: JsonObject): JsonObject {
  return pick(mappingAt(holder, 'securityContext') ?? {}, (_, value) => value !== null);
}

/** A pod or container with the settings in its security context. */
function withContext(holder: JsonObject, asked: JsonObject, parsed = contextOf(holder)): JsonObject {
  const { capabilities } = asked;
  const merged = {
    ...asked,
    ...parsed,
    ...pick(asked, (key, value) => has(parsed, key) && contradicts(key, parsed[key]!, value)),
    // All capabilities are dropped, whatever the container lists.
    ...(isJsonObject(capabilities) ? { capabilities: { ...mappingAt(parsed, 'capabilities'), ...capabilities } } : {}),
  };
  if (Object.keys(merged).length === 0) {
    const { securityContext: _, ...rest } = holder;
    return rest;
  }
  if (Object.hasOwn(holder, 'securityContext')) return { ...holder, securityContext: merged };
  // Conventional field order: before the containers in a pod, last in a container.
  return insertEntry(holder, ['securityContext', merged], (key) => key === 'initContainers' || key === 'containers');
}
