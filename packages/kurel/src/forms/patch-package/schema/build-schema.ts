import { isJsonArray, isJsonObject, isSameJson } from '../../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path, Report, Values } from '../../../model/index.ts';
import { nameOfField } from '../../../patch/index.ts';
import type { TracedField } from '../../../patch/index.ts';
import type { ParameterUse, UsesOf } from './list-uses.ts';
import { describeScalar, listConstraints } from './traced-schema.ts';
import { isAccepted } from './validate-values.ts';

interface SchemaBuild {
  /** Values with unresolved references. */
  readonly merged: Values;
  /** Values with resolved references. */
  readonly values: Values;
  readonly usesOf: UsesOf;
  readonly commentAt: (path: Path) => string | undefined;
  /** Whether the build includes a use. */
  readonly isNeeded: (use: ParameterUse) => boolean;
  readonly report: Report;
}

interface Parameter {
  readonly path: Path;
  /** As written; `undefined` inside the value of a reference. */
  readonly merged: Json | undefined;
  readonly value: Json;
  /** List items have no default and no description. */
  readonly isItem: boolean;
}

/** Builds the schema of parameters from their values and the fields that they are used for. */
export function buildSchema({ merged: all, values, usesOf, commentAt, isNeeded, report }: SchemaBuild): JsonObject {
  return { type: 'object', ...describeProperties({ path: [], merged: all, value: values, isItem: false }, values) };

  function describe(parameter: Parameter): JsonObject {
    const { path, merged, value, isItem } = parameter;
    const uses = usesOf(path);
    const description = isItem ? undefined : describeParameter(commentAt(path), uses);
    const described = description === undefined ? {} : { description };
    if (isJsonObject(value)) {
      const isEmpty = Object.keys(value).length === 0;
      if (isEmpty) return { type: 'object', ...described, ...(isItem ? {} : { default: {} }) };
      return { type: 'object', ...described, ...describeProperties(parameter, value) };
    }
    if (isJsonArray(value)) {
      const schema = describeList(parameter, value);
      return isItem ? schema : { ...schema, ...described, default: value };
    }
    const isReference = merged === undefined || (typeof merged === 'string' && merged.includes('${'));
    const isMissing = value === null && uses.some(isNeeded);
    const { schema, shown } = describeScalar(value, { path, uses, isReference, isMissing, report });
    return isItem ? schema : { ...schema, ...described, ...(shown === null ? {} : { default: shown }) };
  }

  function describeProperties({ path, merged, isItem }: Parameter, value: JsonObject): JsonObject {
    const keys = Object.keys(value);
    const needed = keys.filter((key) => value[key] === null && usesOf([...path, key]).some(isNeeded));
    const inside = (key: string): Parameter => ({
      path: [...path, key],
      merged: isJsonObject(merged) ? merged[key] : undefined,
      value: value[key]!,
      isItem,
    });
    return {
      properties: Object.fromEntries(keys.map((key) => [key, describe(inside(key))])),
      ...(isItem || needed.length === 0 ? {} : { required: needed }),
    };
  }

  function describeList({ path, merged }: Parameter, value: JsonArray): JsonObject {
    const items = value.map((item, index) => {
      const written = isJsonArray(merged) ? merged[index] : undefined;
      return describe({ path: [...path, index], merged: written, value: item, isItem: true });
    });
    const traced = listConstraints(usesOf(path));
    // What all items have in common; `{}` if their types differ.
    const common = value.length === 0 ? (traced['items'] ?? {}) : items.reduce(intersect);
    const limits = { ...traced, type: 'array', items: common };
    // The default may be shorter than Kubernetes allows, because the list may not be used yet.
    return isAccepted(value, limits) ? limits : { type: 'array', items: common };
  }
}

function intersect(a: JsonObject, b: JsonObject): JsonObject {
  const type = commonType(a['type'], b['type']);
  if (type === undefined) return {};
  const common: Record<string, Json> = { type };
  for (const [word, value] of Object.entries(a)) {
    const other = b[word];
    if (word === 'properties' && isJsonObject(value) && isJsonObject(other))
      common[word] = joinProperties(value, other);
    else if (word === 'items' && isJsonObject(value) && isJsonObject(other)) common[word] = intersect(value, other);
    else if (word !== 'type' && other !== undefined && isSameJson(value, other)) common[word] = value;
  }
  return common;
}

function commonType(a: Json | undefined, b: Json | undefined): Json | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (isSameJson(a, b)) return a;
  const numbers: readonly Json[] = ['integer', 'number'];
  return numbers.includes(a) && numbers.includes(b) ? 'number' : undefined;
}

/** List items may have different keys. */
function joinProperties(a: JsonObject, b: JsonObject): JsonObject {
  const joined = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const own = joined.get(name);
    joined.set(name, isJsonObject(own) && isJsonObject(schema) ? intersect(own, schema) : schema);
  }
  return Object.fromEntries(joined);
}

/** Description of a parameter: the author's comment or that of Kubernetes, and the fields it is used for. */
function describeParameter(comment: string | undefined, uses: readonly ParameterUse[]): string | undefined {
  const fields = uses.flatMap(({ role, field, isEntry }) =>
    role === 'whole' && field?.node !== undefined && isEntry !== true ? [field] : [],
  );
  const names = [...new Set(fields.map(nameOfField))];
  if (names.length > 0) return `${comment?.replace(/\.$/, '') ?? wordsOf(fields[0]!)} (from ${listNames(names)})`;
  const enabled = [...new Set(uses.flatMap(({ enables }) => (enables === undefined ? [] : [enables])))];
  if (enabled.length === 0) return comment;
  const patches = listNames(enabled);
  return comment === undefined ? `Enables ${patches}` : `${comment.replace(/\.$/, '')} (enables ${patches})`;
}

const mostNames = 3;

function listNames(names: readonly string[]): string {
  if (names.length <= mostNames) return names.join(', ');
  return `${names.slice(0, mostNames - 1).join(', ')} and ${names.length - mostNames + 1} more`;
}

const amounts: ReadonlyMap<string, string> = new Map([
  ['limits', 'limit'],
  ['requests', 'request'],
]);

/** Objects with free-form keys. */
const entries: ReadonlyMap<string, string> = new Map([
  ['annotations', 'Annotation'],
  ['data', 'Data'],
  ['labels', 'Label'],
  ['matchLabels', 'Label'],
  ['nodeSelector', 'Label'],
  ['selector', 'Label'],
  ['stringData', 'Data'],
]);

function wordsOf({ path, node }: TracedField): string {
  const [holder = '', name = ''] = path.slice(-2);
  const amount = amounts.get(holder);
  if (amount !== undefined && node?.type === 'quantity') return `${humanise(name)} ${amount}`;
  if (name === 'replicas') return 'Number of replicas';
  const entry = entries.get(holder);
  if (entry !== undefined) return `${entry} ${name}`;
  // The description of every quantity is the quantity grammar.
  const parsed = node?.type === 'quantity' ? undefined : firstSentence(node?.description);
  return parsed ?? humanise(name);
}

const longest = 200;

function firstSentence(text: string | undefined): string | undefined {
  const line = text
    ?.trim()
    .split(/\n\s*\n/)[0]
    ?.replaceAll(/\s+/g, ' ');
  if (line === undefined || line === '') return undefined;
  const end = line.search(/[.:](?:\s+[A-Z]|\s*$)/);
  const sentence = end === -1 ? line : line.slice(0, end);
  return sentence.length > longest ? undefined : sentence;
}

const spellings: ReadonlyMap<string, string> = new Map([
  ['cpu', 'CPU'],
  ['ip', 'IP'],
  ['tls', 'TLS'],
  ['url', 'URL'],
]);

/** `imagePullPolicy` → `Image pull policy`. */
function humanise(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s\-_]+/)
    .map((word) => spellings.get(word.toLowerCase()) ?? (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
