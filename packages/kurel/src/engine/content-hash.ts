import type { KubeObject } from '../model/index.ts';
import { withoutAnnotations } from '../kube/index.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256 } from './sha256.ts';

export const DEFAULT_ANNOTATION_PREFIX = 'kurel.dev';

export function hashAnnotation(prefix: string): string {
  return `${prefix}/content.hash`;
}

/** `sha256:` and 64 digits over the canonical JSON of the object; the annotation that holds the hash does not count. */
export function contentHash(object: KubeObject, prefix: string = DEFAULT_ANNOTATION_PREFIX): string {
  return `sha256:${sha256(canonicalJson(withoutAnnotations(object, [hashAnnotation(prefix)])))}`;
}
