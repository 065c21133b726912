import type { KubeObject } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { isBuiltIn } from '../apply/apply-document.ts';
import { formatPath } from '../apply/format-path.ts';
import type { KindShape } from '../apply/kind-shape.ts';

/** A field of a kind. List positions are left out: `spec.ports.port` is the port of any item. */
export interface TracedField {
  readonly kind: string;
  readonly path: readonly string[];
  readonly node: SchemaNode | undefined;
  /** Whether the kind is built into Kubernetes rather than defined by a CRD. */
  readonly builtIn: boolean;
}

export function rootFieldOf({ kind }: KubeObject, shape: KindShape): TracedField {
  return { kind, path: [], node: shape.schema, builtIn: isBuiltIn(shape) };
}

/** Enters a field of an object by name, or the items of a list by number. */
export function enterField(field: TracedField, step: string | number): TracedField {
  const { node } = field;
  if (typeof step === 'number') return { ...field, node: node?.type === 'list' ? node.items : undefined };
  return { ...field, path: [...field.path, step], node: node?.type === 'list' ? undefined : node?.property(step) };
}

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];

/** `Deployment.spec.replicas`; a container field is always `Container.…`, whatever the kind of the workload. */
export function nameOfField({ kind, path }: TracedField): string {
  const at = path.findIndex((name, index) => containerLists.includes(name) && path[index - 1] === 'spec');
  const [holder, inside] = at === -1 || at === path.length - 1 ? [kind, path] : ['Container', path.slice(at + 1)];
  const names = formatPath(inside);
  return names === '' || names.startsWith('[') ? `${holder}${names}` : `${holder}.${names}`;
}
