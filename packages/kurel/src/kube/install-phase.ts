import { isJsonObject } from '../model/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { parseDuration } from './duration.ts';

/** When an object is applied; in the order of application. */
export const installPhases = ['pre-install', 'main', 'post-install'] as const;

export type InstallPhase = (typeof installPhases)[number];

export const installPhaseAnnotation = 'kurel.gokure.dev/install-phase';
export const waitForReadyAnnotation = 'kurel.gokure.dev/wait-for-ready';
export const timeoutAnnotation = 'kurel.gokure.dev/timeout';

/** `main` when the object says nothing; `undefined` when it says something that is no phase. */
export function installPhaseOf(object: KubeObject): InstallPhase | undefined {
  const said = annotationOf(object, installPhaseAnnotation);
  return said === undefined ? 'main' : installPhases.find((phase) => phase === said);
}

/** Whether the next phase waits for the object; `undefined` when its annotation is neither `"true"` nor `"false"`. */
export function waitForReadyOf(object: KubeObject): boolean | undefined {
  const said = annotationOf(object, waitForReadyAnnotation);
  if (said === undefined || said === 'false') return false;
  return said === 'true' ? true : undefined;
}

/** Nanoseconds that the object may take; 0 when it says nothing, `undefined` when it says something that is no such time. */
export function timeoutOf(object: KubeObject): bigint | undefined {
  const said = annotationOf(object, timeoutAnnotation);
  if (said === undefined) return 0n;
  const duration = typeof said === 'string' ? parseDuration(said) : undefined;
  return duration !== undefined && duration > 0n ? duration : undefined;
}

/** What an annotation says, whatever it is: only texts are annotations, and everything else is a mistake to be told. */
export function annotationOf(object: KubeObject, key: string): Json | undefined {
  const { metadata } = object;
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}
