import type { KubeObject } from '../../model/index.ts';
import { expandPath } from '../apply/expand-path.ts';
import { isFlatMap } from '../apply/kind-shape.ts';
import type { KindShape } from '../apply/kind-shape.ts';
import type { PlainField, PlainStep } from '../apply/prepared.ts';
import { enterField, rootFieldOf } from './traced-field.ts';
import type { TracedField } from './traced-field.ts';

export interface Followed {
  readonly field: TracedField;
  /** Only a part of the image that the field holds is meant. */
  readonly isImagePart: boolean;
}

/**
 * The field that a path leads to by the schema of the kind alone: whether an object has it, or the item it is in, may depend
 * on patches before this one.
 */
export function followPath(steps: readonly PlainStep[], object: KubeObject, shape: KindShape): Followed | undefined {
  const root = rootFieldOf(object, shape);
  const expanded = expandPath(steps, object, shape);
  if (expanded.type === 'path') return followSteps(root, expanded.steps);
  const names = [...(shape.podSpec ?? []), 'containers'].map(
    (name) => ({ type: 'field', name, quoted: false }) as const,
  );
  return followSteps(root, [...names, { type: 'index', index: 0 }, ...steps]);
}

export function followSteps(root: TracedField, steps: readonly PlainStep[]): Followed | undefined {
  let field = root;
  for (const [at, step] of steps.entries()) {
    if (isFlatMap(field.node, field.path)) return followFlatMap(field, steps.slice(at));
    if (step.type === 'all' && field.node?.type !== 'list') {
      // Named fields have nothing in common; the values of a mapping with any keys do.
      if (field.node?.values === undefined) return undefined;
      field = enterField(field, '*');
    } else if (step.type !== 'field' || (field.node?.type === 'list' && isIndex(step))) {
      field = enterField(field, 0);
    } else {
      const holder = holderOf(field, step);
      if (isImagePart(holder, step) && at === steps.length - 1) return { field: holder, isImagePart: true };
      field = enterField(holder, step.name);
    }
  }
  return { field, isImagePart: false };
}

/** A field of a list is the field of every item, and `paths` of an Ingress' rule leaves out `http`. */
function holderOf(field: TracedField, { name }: PlainField): TracedField {
  let holder = field;
  while (holder.node?.type === 'list') holder = enterField(holder, 0);
  const isRule = holder.kind === 'Ingress' && holder.path.join('.') === 'spec.rules';
  return isRule && name === 'paths' ? enterField(holder, 'http') : holder;
}

/** All names that are left make one key. */
function followFlatMap(field: TracedField, rest: readonly PlainStep[]): Followed | undefined {
  const names = rest.map((step) => (step.type === 'field' ? step.name : step.type === 'all' ? '*' : undefined));
  if (!names.every((name) => name !== undefined)) return undefined;
  return { field: enterField(field, names.join('.')), isImagePart: false };
}

function isImagePart({ path, node }: TracedField, { name }: PlainField): boolean {
  return (
    path.at(-1) === 'image' && node?.type === 'string' && ['repository', 'registry', 'tag', 'digest'].includes(name)
  );
}

function isIndex({ name, quoted }: PlainField): boolean {
  return !quoted && /^[0-9]{1,9}$/.test(name);
}
