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
    summary: 'A pod asks for something that the level of its trait "security-context" does not allow.',
    message: ({ what, level }: { what: string; level: Level }) => `${what}, which psaLevel ${level} does not allow`,
    hint: ({ allowedBy }: { allowedBy: Level }) => `take it out, or set psaLevel to ${allowedBy}`,
  },
  'security-context-contradiction': {
    severity: 'error',
    summary: 'A property of the trait "security-context" contradicts its level.',
    message: ({ key, found }: { key: string; found: string }) =>
      `${quote(key)} cannot be ${found} with psaLevel restricted`,
    hint: ({ key }: { key: string }) => `leave ${quote(key)} out, or set psaLevel to baseline`,
  },
  'security-context-root': {
    severity: 'error',
    summary: 'Containers are to run as root and not to run as root.',
    message: () => '"runAsUser" cannot be 0 when "runAsNonRoot" is true: Kubernetes would not start the containers',
    hint: () => 'give another user, or take one of them out',
  },
  'security-context-outranked': {
    severity: 'warning',
    summary:
      'A component says something of its pods that its trait "security-context" says otherwise; the trait decides.',
    message: ({ key, of, found, asked }: { key: string; of: string; found: string; asked: string }) =>
      `${quote(key)} of ${of} is ${found}, which has no effect: the trait "security-context" says ${asked}`,
    hint: () => 'say it in one place only',
  },
});

const id = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;

export const securityContext = defineTrait({
  type: 'security-context',
  summary: 'Holds the pods of the component to a level of the Pod Security Standards.',
  needs: ['podTemplate'],
  properties: {
    psaLevel: {
      type: 'string',
      description: 'the level: restricted fills in everything that the strictest standard demands',
      required: true,
      enum: levels,
    },
    runAsNonRoot: { type: 'boolean', description: 'whether containers may not run as root; so when restricted' },
    allowPrivilegeEscalation: {
      type: 'boolean',
      description: 'whether a process may gain more rights than its parent; not when restricted',
    },
    readOnlyRootFilesystem: {
      type: 'boolean',
      description: 'whether containers may only write to volumes; so when restricted',
    },
    runAsUser: { ...id, description: 'user that the containers run as' },
    runAsGroup: { ...id, description: 'group that the containers run as' },
    fsGroup: { ...id, description: 'group that volumes belong to' },
    scope,
  },
  problems,
  render({ properties, report }) {
    checkLevel(properties, report);
    return {
      decorate(objects) {
        for (const object of objects) tellOutranked(object, properties, report);
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
        // Among the excesses of the strictest level is root as well.
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

/** What the trait says wins, and nobody should believe otherwise. */
function tellOutranked(object: KubeObject, asked: Hardening, report: ReportAt): void {
  const gvk = gvkOf(object);
  const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
  for (const { key, of, found, asked: wanted } of pod === undefined ? [] : findOutranked(pod, asked)) {
    const args = { key, of, found: show(found), asked: show(wanted) };
    const isExplicit = asked[key as keyof Hardening] !== undefined;
    report(problems.create('security-context-outranked', args), [isExplicit ? key : 'psaLevel']);
  }
}

/** A profile is known by its type. */
function show(value: Json): string {
  return textAt(value, 'type') ?? `${value as number}`;
}

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
