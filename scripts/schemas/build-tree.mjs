import { createNode, factsOf } from './schema-graph.mjs';

const singles = { items: 'items', additionalProperties: 'values', not: 'not' };
const lists = ['allOf', 'anyOf', 'oneOf'];

/**
 * The two nodes of a schema: `structure` and `words`. `follow` gives the nodes of what a schema refers to; `findDeprecation`
 * moves what validation needs to know from the description into the structure.
 */
export function createTreeBuilder({ follow = () => undefined, findDeprecation, adjust = (schema) => schema }) {
  return build;

  function build(raw) {
    const pair = { structure: createNode(), words: createNode() };
    fill(pair, raw);
    return pair;
  }

  function fill(pair, raw) {
    const schema = adjust(raw);
    const referred = follow(schema, (base) => copy(pair, base, schema));
    if (referred === 'later') return;
    describe(pair, schema);
    pair.structure.facts = { ...pair.structure.facts, ...factsOf(schema) };
    for (const [name, child] of Object.entries(schema.properties ?? {})) connect(pair, `p:${name}`, child);
    for (const [word, place] of Object.entries(singles)) {
      if (typeof schema[word] === 'object' && !Array.isArray(schema[word])) connect(pair, place, schema[word]);
    }
    if (schema.additionalProperties === true) pair.structure.facts['x-kubernetes-preserve-unknown-fields'] = true;
    for (const word of lists) (schema[word] ?? []).forEach((child, index) => connect(pair, `${word}:${index}`, child));
  }

  function connect(pair, place, schema) {
    const child = build(schema);
    pair.structure.edges.set(place, child.structure);
    // What only constrains is not described.
    if (/^(?:p:|items$|values$)/.test(place)) pair.words.edges.set(place, child.words);
  }

  /** A reference with more words about it: everything of the other, and those words. */
  function copy(pair, base, schema) {
    pair.structure.edges = base.structure.edges;
    pair.words.edges = base.words.edges;
    const { 'x-kurel-deprecated': _, ...facts } = base.structure.facts;
    pair.structure.facts = { ...facts, ...factsOf(schema) };
    pair.words.facts = base.words.facts;
    describe(pair, schema);
  }

  function describe(pair, { description }) {
    if (typeof description !== 'string' || description === '') return;
    pair.words.facts = { text: description };
    const deprecated = findDeprecation(description);
    if (deprecated !== undefined) pair.structure.facts['x-kurel-deprecated'] = deprecated;
  }
}
