import type { Json, JsonObject, KubeObject, Renderer } from '../src/model/index.ts';
import { copyJson, deepFreeze } from '../src/engine/copy-json.ts';
import { createRenderContext } from '../src/engine/render-context.ts';

/** A ConfigMap for tests, frozen, so that code that changes its input fails. */
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
