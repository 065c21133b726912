import type { Json, JsonObject, KubeObject, Renderer } from '../model/index.ts';
import { copyJson, deepFreeze } from './copy-json.ts';
import { createRenderContext } from './render-context.ts';

/** A ConfigMap for tests, frozen, so that whoever changes an input fails. */
export function configMap(name: string, metadata: JsonObject = {}): KubeObject {
  return frozen({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } });
}

export function frozen<T extends Json>(value: T): T {
  return deepFreeze(copyJson(value));
}

/** A user's renderer, which the engine does not know to be fresh. */
export function staticRenderer(name: string, objects: readonly KubeObject[]): Renderer {
  return { name, process: () => objects };
}

export const anyContext = createRenderContext();
