import { ruleTree } from './rule-tree.mjs';
import { shareNodes } from './schema-graph.mjs';

/** One line of JSON for each node; a number stands for the node of that line, so that a reader parses only what it asks for. */
export function writeStructures(roots) {
  const { kept, numberOf } = shareNodes(roots);
  return { text: kept.map((node) => `${JSON.stringify(writeStructure(node, numberOf))}\n`).join(''), numberOf };
}

function writeStructure({ facts, edges }, numberOf) {
  const line = { ...facts };
  const rules = facts['x-kubernetes-validations'];
  if (rules !== undefined) line['x-kubernetes-validations'] = withTrees(rules);
  for (const [place, child] of edges) {
    const [word, name] = splitPlace(place);
    const number = numberOf(child);
    if (word === 'p') define((line.properties ??= {}), name, number);
    else if (word === 'values') line.additionalProperties = number;
    else if (name === undefined) line[word] = number;
    else (line[word] ??= []).push(number);
  }
  return line;
}

/** Rules with their syntax trees, so that nobody has to parse them again. */
export function withTrees(rules) {
  return rules.map((entry) => ({ ...entry, 'x-kurel-tree': ruleTree(entry.rule) }));
}

/** A line is a text, or an object with the text (`d`) and the lines of properties (`p`), items (`i`) and values (`v`). */
export function writeWords(roots) {
  const { kept, numberOf } = shareNodes(roots);
  return { text: kept.map((node) => `${JSON.stringify(writeWord(node, numberOf))}\n`).join(''), numberOf };
}

function writeWord({ facts: { text }, edges }, numberOf) {
  const line = text === undefined ? {} : { d: text };
  for (const [place, child] of edges) {
    if (child.facts.text === undefined && child.edges.size === 0) continue;
    const [word, name] = splitPlace(place);
    if (word === 'p') define((line.p ??= {}), name, numberOf(child));
    else line[word === 'items' ? 'i' : 'v'] = numberOf(child);
  }
  return text !== undefined && Object.keys(line).length === 1 ? text : line;
}

function define(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function splitPlace(place) {
  const colon = place.indexOf(':');
  return colon === -1 ? [place] : [place.slice(0, colon), place.slice(colon + 1)];
}
