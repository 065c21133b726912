import { quote } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';

/** A form that other tools read, and how to write it here. */
export interface ForeignForm {
  readonly reason: string;
  readonly hint: string;
  /** The key that gives it away. */
  readonly key: string;
}

/** Recognises objects that kubectl and kustomize merge, and operations of a JSON Patch. */
export function recogniseForeignForm(data: JsonObject): ForeignForm | undefined {
  if (isKubernetesObject(data)) {
    const { kind } = data;
    if (data.apiVersion.startsWith('kustomize.config.k8s.io/')) {
      const hint = `build its directory, and write each of its patches as an entry of a list:\n${sketch('strategic')}`;
      return { reason: 'this is a kustomization, not a patch', hint, key: 'kind' };
    }
    const hint = `to merge it into an object, write it as an entry of a list:\n${sketch('strategic', nameTarget(data))}`;
    return { reason: `this is a Kubernetes object of kind ${quote(kind)}, not a patch`, hint, key: 'kind' };
  }
  if (!isOperation(data)) return undefined;
  const hint = `write the operations as an entry of a list:\n${sketch('json')}`;
  return { reason: 'this operation of a JSON Patch does not say which object it is for', hint, key: 'op' };
}

export function isKubernetesObject(data: JsonObject): data is JsonObject & { apiVersion: string; kind: string } {
  return typeof own(data, 'apiVersion') === 'string' && typeof own(data, 'kind') === 'string';
}

/** Whether the data is one of the operations of a JSON Patch. */
export function isOperation(data: Json): boolean {
  return isJsonObject(data) && typeof own(data, 'op') === 'string' && typeof own(data, 'path') === 'string';
}

/** The target that a kustomize-like mapping of `kind`, `name` and `namespace` means, as it is written here. */
export function nameMappedTarget(target: JsonObject): string | undefined {
  return joinTarget(own(target, 'kind'), own(target, 'name'), own(target, 'namespace'));
}

function nameTarget(data: JsonObject & { readonly kind: string }): string | undefined {
  const metadata = own(data, 'metadata');
  if (!isJsonObject(metadata)) return undefined;
  return joinTarget(data.kind, own(metadata, 'name'), own(metadata, 'namespace'));
}

/** Only what is safe to copy from a message: `undefined` for anything that is no name of Kubernetes. */
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
