import { getOrAdd } from '../budget/index.ts';
import { isJsonObject, stepInto } from '../model/index.ts';
import type { Json, Path, Values } from '../model/index.ts';

interface ValueLayer {
  readonly data: Values;
  /** The only path that it sets. */
  readonly path?: Path | undefined;
}

/** The layers that have a value at one place, by their positions, and the places below. */
interface IndexNode {
  readonly layers: number[];
  /** Those whose value is not an object, so that it replaces everything below. */
  readonly ends: number[];
  readonly below: Map<string, IndexNode>;
}

// Thousands of values may come from a thousand files or flags. Few layers are tried one by one.
const mostWithoutIndex = 8;
const indexes = new WeakMap<readonly ValueLayer[], IndexNode>();

/** The last layer that sets the value at a path. */
export function findLastLayer<Layer extends ValueLayer>(layers: readonly Layer[], path: Path): Layer | undefined {
  if (layers.length <= mostWithoutIndex) return layers.findLast((layer) => sets(layer, path));
  let node: IndexNode | undefined = getOrAdd(indexes, layers, () => indexLayers(layers));
  let best = -1;
  for (let depth = 0; node !== undefined; depth += 1) {
    const isWhole: boolean = depth === path.length;
    const candidates = isWhole ? node.layers : node.ends;
    const last = candidates.findLast((position) => position <= best || sets(layers[position]!, path));
    best = Math.max(best, last ?? -1);
    node = isWhole ? undefined : node.below.get(String(path[depth]));
  }
  return layers[best];
}

function indexLayers(layers: readonly ValueLayer[]): IndexNode {
  const root = createNode();
  for (const [position, { data }] of layers.entries()) add(root, data, position);
  return root;
}

function createNode(): IndexNode {
  return { layers: [], ends: [], below: new Map() };
}

function add(node: IndexNode, value: Json, position: number): void {
  node.layers.push(position);
  if (!isJsonObject(value)) node.ends.push(position);
  else for (const [key, inner] of Object.entries(value)) add(getOrAdd(node.below, key, createNode), inner, position);
}

/** Whether a layer sets the value at a path. A value that is not an object replaces everything below it. */
function sets({ data, path: own }: ValueLayer, path: Path): boolean {
  if (own !== undefined && !concerns(own, path)) return false;
  let value: Json = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return true;
    const inner = stepInto(value, step);
    if (inner === undefined) return false;
    value = inner;
  }
  return true;
}

/** Whether one of two paths is a prefix of the other. */
function concerns(set: Path, path: Path): boolean {
  return set.every((step, index) => index >= path.length || step === path[index]);
}
