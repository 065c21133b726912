import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, KubeObject } from '../../model/index.ts';
import { containerFields, hasSpec } from './kind-shape.ts';
import type { KindShape } from './kind-shape.ts';
import type { PlainField, PlainStep } from './prepared.ts';

/** A path from the root of the object. */
export type ExpandedPath =
  | { readonly type: 'path'; readonly steps: readonly PlainStep[] }
  /** A container field, but the pod does not have exactly one container. */
  | { readonly type: 'ambiguous'; readonly field: string; readonly containers: readonly string[] };

/** Completes a short path: `replicas` becomes `spec.replicas`. */
export function expandPath(steps: readonly PlainStep[], object: KubeObject, shape: KindShape): ExpandedPath {
  const [first, ...rest] = steps;
  if (first?.type !== 'field') return { type: 'path', steps };
  const { name } = first;
  const at = (...prefix: readonly string[]): ExpandedPath => ({
    type: 'path',
    steps: [...prefix.map(field), ...steps],
  });
  if (name === 'template' && shape.podTemplate !== undefined) {
    return { type: 'path', steps: [...shape.podTemplate.map(field), ...insideTemplate(rest)] };
  }
  if (isRoot(name, object, shape)) return at();
  if (name === 'labels' || name === 'annotations') return at('metadata');
  if (shape.podSpec !== undefined) {
    if (containerFields.has(name)) return intoContainer(steps, object, shape.podSpec);
    if (shape.specFields.has(name)) return at('spec');
    if (shape.podFields.has(name)) return at(...shape.podSpec);
  }
  const alias = shape.aliases.get(name);
  if (alias !== undefined) return { type: 'path', steps: [...alias.map(field), ...rest] };
  if (shape.dataField !== undefined) return at(shape.dataField);
  if (Object.hasOwn(object, name)) return at();
  return hasSpec(shape, object) ? at('spec') : at();
}

function isRoot(name: string, object: KubeObject, { rootFields, known }: KindShape): boolean {
  return rootFields.has(name) || (known === undefined && Object.hasOwn(object, name));
}

/** `template.labels` are the labels of the pod template. */
function insideTemplate(rest: readonly PlainStep[]): readonly PlainStep[] {
  const [next] = rest;
  const isMetadata = next?.type === 'field' && (next.name === 'labels' || next.name === 'annotations');
  return isMetadata ? [field('metadata'), ...rest] : rest;
}

function intoContainer(steps: readonly PlainStep[], object: KubeObject, podSpec: readonly string[]): ExpandedPath {
  const first = steps[0] as PlainField;
  let value: Json | undefined = object;
  for (const name of [...podSpec, 'containers']) {
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  const containers = isJsonArray(value) ? value : [];
  if (containers.length !== 1) {
    return { type: 'ambiguous', field: first.name, containers: containers.map(nameOfContainer) };
  }
  const index = { type: 'index', index: 0 } as const;
  return { type: 'path', steps: [...podSpec.map(field), field('containers'), index, ...steps] };
}

function nameOfContainer(container: Json, index: number): string {
  const name = isJsonObject(container) ? container['name'] : undefined;
  return typeof name === 'string' ? name : `[${index}]`;
}

function field(name: string): PlainField {
  return { type: 'field', name, quoted: false };
}
