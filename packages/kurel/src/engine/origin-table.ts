import type { KubeObject, Origin, OriginTable } from '../model/index.ts';
import { copyJson } from './copy-json.ts';

export function createOriginTable(): OriginTable {
  const origins = new WeakMap<KubeObject, Origin>();
  return {
    get: (object) => origins.get(object),
    set: (object, origin) => void origins.set(object, origin),
  };
}

/** `replacement` takes the place of `object`, and its origin with it. */
export function carryOrigin(origins: OriginTable, object: KubeObject, replacement: KubeObject): void {
  if (object === replacement) return;
  const origin = origins.get(object);
  if (origin !== undefined) origins.set(replacement, origin);
}

/** A copy that nobody else holds, with the origin of the object. */
export function copyObject(origins: OriginTable, object: KubeObject): KubeObject {
  const copy = copyJson(object);
  carryOrigin(origins, object, copy);
  return copy;
}
