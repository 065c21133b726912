import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { containersOf, gvkOf, has, mappingAt, podSiteOf, textAt } from '../../../../kube/index.ts';
import type { PodSite } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../../model/index.ts';
import type { Field } from '../../documents/field.ts';
import { findExcesses, levels } from '../../pod-security/check-level.ts';
import type { Level } from '../../pod-security/check-level.ts';
import { changePods } from '../../pods/check-shared.ts';
import { findRoots } from '../../pods/check-pod.ts';
import { defineTrait } from '../define.ts';
import type { ReportAt } from '../define.ts';
import { given } from '../given.ts';
import { scope } from '../scope.ts';

const problems = defineProblems({
  'security-context-excess': {
    severity: 'error',
    summary: 'A pod has a setting that the level of its security-context trait does not allow.',
    message: ({ what, level }: { what: string; level: Level }) => `${what}, which psaLevel ${level} does not allow`,
    hint: ({ allowedBy }: { allowedBy: Level }) => `remove it, or set psaLevel to ${allowedBy}`,
    fix: 'Remove the setting from the component or the patch that sets it, or set psaLevel to a level that allows it.',
  },
  'security-context-contradiction': {
    severity: 'error',
    summary: 'A property of a security-context trait conflicts with its level.',
    message: ({ key, found }: { key: string; found: string }) =>
      `${quote(key)} ${found} conflicts with psaLevel restricted`,
    hint: ({ key }: { key: string }) => `remove ${quote(key)}, or set psaLevel to baseline`,
    fix: 'Remove the property: psaLevel restricted sets it. Or set psaLevel to baseline.',
  },
  'security-context-root': {
    severity: 'error',
    summary: 'Containers must run as root and must not run as root.',
    message: () => '"runAsUser" 0 conflicts with "runAsNonRoot": Kubernetes does not start the containers',
    hint: () => 'set another user, or remove one of them',
    fix: 'Set runAsUser to a user other than 0, or remove runAsNonRoot if the image needs root.',
  },
  'security-context-outranked': {
    severity: 'warning',
    summary: 'A setting of a component is overridden by its security-context trait.',
    message: ({ key, of, found, asked }: { key: string; of: string; found: string; asked: string }) =>
      `${quote(key)} ${found} of ${of} is overridden by ${asked} of trait "security-context"`,
    hint: () => 'set it in one place only',
    fix: 'Remove the setting from securityContext or podSecurityContext of the component, or change it in the trait, which takes precedence.',
  },
});

const id = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;

export const securityContext = defineTrait({
  type: 'security-context',
  summary: 'Enforces a level of the Pod Security Standards for the pods of the component.',
  needs: ['podTemplate'],
  properties: {
    psaLevel: {
      type: 'string',
      description: 'Level of the Pod Security Standards. restricted sets all fields that the standard requires.',
      required: true,
      enum: levels,
    },
    runAsNonRoot: {
      type: 'boolean',
      description: 'Whether containers must not run as root. Defaults to true for restricted.',
    },
    allowPrivilegeEscalation: {
      type: 'boolean',
      description: 'Whether a process can gain more privileges than its parent. Defaults to false for restricted.',
    },
    readOnlyRootFilesystem: {
      type: 'boolean',
      description: 'Whether the root file system is read-only. Defaults to true for restricted.',
    },
    runAsUser: { ...id, description: 'User ID of the containers.' },
    runAsGroup: { ...id, description: 'Group ID of the containers.' },
    fsGroup: { ...id, description: 'Group ID that owns the volumes.' },
    scope,
  },
  problems,
  render({ properties, report }) {
    checkLevel(properties, report);
    return {
      decorate(objects) {
        for (const object of objects) reportOutranked(object, properties, report);
        return changePods(objects, (spec) => hardenPod(spec, properties));
      },
      inspect(object, reportFinding) {
        const gvk = gvkOf(object);
        const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
        const { psaLevel: level } = properties;
        if (pod === undefined) return;
        for (const { what, path, allowedBy } of findExcesses(pod, level)) {
          reportFinding(problems.create('security-context-excess', { what, level, allowedBy }), path);
        }
        // findExcesses already reports root for the restricted level.
        for (const { path } of level === 'restricted' ? [] : findRoots(pod.spec)) {
          reportFinding(problems.create('security-context-root', {}), [...pod.specPath, ...path]);
        }
      },
    };
  },
});

const wanted = { runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true } as const;

function checkLevel(asked: Hardening, report: ReportAt): void {
  if (asked.psaLevel !== 'restricted' && asked.runAsNonRoot === true && asked.runAsUser === 0) {
    report(problems.create('security-context-root', {}), ['runAsUser']);
  }
  if (asked.psaLevel !== 'restricted') return;
  for (const key of Object.keys(wanted) as (keyof typeof wanted)[]) {
    if (asked[key] === undefined || asked[key] === wanted[key]) continue;
    report(problems.create('security-context-contradiction', { key, found: `${asked[key]}` }), [key]);
  }
  if (asked.runAsUser !== 0) return;
  report(problems.create('security-context-contradiction', { key: 'runAsUser', found: '0' }), ['runAsUser']);
}

/** The trait takes precedence, so ignored settings are reported. */
function reportOutranked(object: KubeObject, asked: Hardening, report: ReportAt): void {
  const gvk = gvkOf(object);
  const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
  for (const { key, of, found, asked: wanted } of pod === undefined ? [] : findOutranked(pod, asked)) {
    const args = { key, of, found: show(found), asked: show(wanted) };
    const isExplicit = asked[key as keyof Hardening] !== undefined;
    report(problems.create('security-context-outranked', args), [isExplicit ? key : 'psaLevel']);
  }
}

/** A seccomp profile is shown as its type. */
function show(value: Json): string {
  return textAt(value, 'type') ?? `${value as number}`;
}

/** The settings for all containers of a pod. */
export interface Hardening {
  readonly psaLevel: Level;
  readonly runAsNonRoot?: boolean | undefined;
  readonly allowPrivilegeEscalation?: boolean | undefined;
  readonly readOnlyRootFilesystem?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly runAsGroup?: number | undefined;
  readonly fsGroup?: number | undefined;
}

/** The fields for the pod and for each container, from the properties and the level. */
interface Demands {
  readonly ofPod: JsonObject;
  readonly ofContainers: JsonObject;
  /** Set on the pod; containers inherit them. */
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

/** The pod spec with the settings of the trait in all containers; other settings are kept. */
export function hardenPod(spec: JsonObject, asked: Hardening): JsonObject {
  const { ofPod, ofContainers, inherited } = demandsOf(asked);
  // Containers inherit from the pod if it already has the same setting.
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

/** Settings of a pod and its containers that the trait overrides. */
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

/** Whether the settings conflict. A custom seccomp profile is acceptable, and all capabilities are dropped in any case. */
function contradicts(key: string, parsed: Json, asked: Json | undefined): boolean {
  if (asked === undefined || key === 'capabilities') return false;
  if (key === 'seccompProfile') return textAt(parsed, 'type') === 'Unconfined';
  return `${parsed as number}` !== `${asked as number}`;
}

/** Null counts as absent. */
function contextOf(holder: JsonObject): JsonObject {
  const own = mappingAt(holder, 'securityContext') ?? {};
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
}

/** A pod or container with the settings in its security context. */
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
    // All capabilities are dropped, whatever the container lists.
    ...(isJsonObject(capabilities) ? { capabilities: { ...mappingAt(parsed, 'capabilities'), ...capabilities } } : {}),
  };
  if (Object.keys(merged).length > 0) return put(holder, merged);
  const { securityContext: _, ...rest } = holder;
  return rest;
}

/** Conventional field order: before the containers in a pod, last in a container. */
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
