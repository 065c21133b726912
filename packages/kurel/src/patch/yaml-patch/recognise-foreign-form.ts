import { quote } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';

/** A form that other tools use, and how to convert it. */
export interface ForeignForm {
  readonly reason: string;
  readonly hint: string;
  /** The key that identifies it. */
  readonly key: string;
}

/** Recognises objects for kubectl or kustomize, and JSON Patch operations. */
export function recogniseForeignForm(data: JsonObject): ForeignForm | undefined {
  if (isKubernetesObject(data)) {
    const { kind } = data;
    if (data.apiVersion.startsWith('kustomize.config.k8s.io/')) {
      const hint = `build its directory, and turn each of its patches into an entry of a list:\n${sketch('strategic')}`;
      return { reason: 'this is a kustomization, not a patch', hint, key: 'kind' };
    }
    const hint = `to merge it into an object, turn it into an entry of a list:\n${sketch('strategic', nameTarget(data))}`;
    return { reason: `this is a Kubernetes object of kind ${quote(kind)}, not a patch`, hint, key: 'kind' };
  }
  if (!isOperation(data)) return undefined;
  const hint = `put the operations in an entry of a list:\n${sketch('json')}`;
  return { reason: 'this JSON Patch operation has no target', hint, key: 'op' };
}

export function isKubernetesObject(data: JsonObject): data is JsonObject & { apiVersion: string; kind: string } {
  return typeof own(data, 'apiVersion') === 'string' && typeof own(data, 'kind') === 'string';
}

/** Whether the data is a JSON Patch operation. */
export function isOperation(data: Json): boolean {
  return isJsonObject(data) && typeof own(data, 'op') === 'string' && typeof own(data, 'path') === 'string';
}

/** Converts a kustomize target with `kind`, `name` and `namespace`. */
export function nameMappedTarget(target: JsonObject): string | undefined {
  return joinTarget(own(target, 'kind'), own(target, 'name'), own(target, 'namespace'));
}

function nameTarget(data: JsonObject & { readonly kind: string }): string | undefined {
  const metadata = own(data, 'metadata');
  if (!isJsonObject(metadata)) return undefined;
  return joinTarget(data.kind, own(metadata, 'name'), own(metadata, 'namespace'));
}

/** Safe to copy from a message: `undefined` for anything that is not a valid Kubernetes name. */
function joinTarget(kind?: Json, name?: Json, namespace?: Json): string | undefined {
  const plain = /^[A-Za-z0-9.-]{1,63}$/;
  if (typeof kind !== 'string' || typeof name !== 'string' || !plain.test(kind) || !plain.test(name)) return undefined;
  const prefix = typeof namespace === 'string' && plain.test(namespace) ? `${namespace}/` : '';
  return `${prefix}${kind.toLowerCase()}.${name}`;
}

function sketch(type: 'strategic' | 'json', target = 'kind.name'): string {
  const patch = type === 'json' ? '  patch:\n    - op: …' : '  patch: …';
  return `- target: ${target}\n  type: ${type}\n${patch}`;
}

function own(data: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(data, key) ? data[key] : undefined;
}
