// Schemas as a graph of two kinds of nodes: what a field is, and what is said about it. Each is shared by itself, so that a
// changed sentence does not double a structure.
import { createHash } from 'node:crypto';

/** Words that say what a value may be. Everything else is a child, a description, or of no use to a reader of schemas. */
const factWords = [
  'type',
  'format',
  'nullable',
  'enum',
  'default',
  'required',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-map-type',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-validations',
  'x-kurel-deprecated',
];

export function factsOf(schema) {
  return Object.fromEntries(factWords.filter((word) => schema[word] !== undefined).map((word) => [word, schema[word]]));
}

/** A node of the graph: `edges` by place, `p:name` for properties. */
export function createNode() {
  return { facts: {}, edges: new Map() };
}

/**
 * One number for all nodes that no walk can tell apart, by refining classes until their count stays: unlike a hash of the
 * tree, this ends when a schema holds itself. Gives the nodes to write, in the order in which the roots reach them.
 */
export function shareNodes(roots) {
  const nodes = reach(roots);
  let classes = new Map(nodes.map((node) => [node, digest(JSON.stringify([node.facts, [...node.edges.keys()]]))]));
  for (let count = 0; ;) {
    const refined = new Map();
    for (const node of nodes) {
      const children = Array.from(node.edges.values(), (child) => classes.get(child));
      refined.set(node, digest([classes.get(node), ...children].join(' ')));
    }
    classes = refined;
    const next = new Set(classes.values()).size;
    if (next === count) break;
    count = next;
  }
  const numbers = new Map();
  const kept = [];
  for (const node of nodes) {
    const name = classes.get(node);
    if (numbers.has(name)) continue;
    numbers.set(name, kept.length);
    kept.push(node);
  }
  return { kept, numberOf: (node) => numbers.get(classes.get(node)) };
}

function digest(text) {
  return createHash('sha256').update(text).digest('base64').slice(0, 22);
}

function reach(roots) {
  const nodes = new Set(roots);
  for (const node of nodes) for (const child of node.edges.values()) nodes.add(child);
  return [...nodes];
}
