import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path, Report, Values } from '../../../model/index.ts';
import { nameOfField } from '../../../patch/index.ts';
import type { TracedField } from '../../../patch/index.ts';
import { commonSchema } from './infer-schema.ts';
import type { ParameterUse, ParameterUses } from './parameter-uses.ts';
import { describeScalar, listConstraints } from './traced-schema.ts';
import { isAccepted } from './validate-values.ts';

export interface SchemaBuild {
  /** Values with unresolved references. */
  readonly merged: Values;
  /** Values with resolved references. */
  readonly values: Values;
  readonly uses: ParameterUses;
  readonly commentAt: (path: Path) => string | undefined;
  /** Whether the build includes a use. */
  readonly isNeeded: (use: ParameterUse) => boolean;
  readonly report: Report;
}

/** Builds the schema of parameters from their values and the fields that they are used for. */
export function buildSchema(build: SchemaBuild): JsonObject {
  const { merged, values } = build;
  const { required, properties } = describeProperties(
    { path: [], merged, value: values, isItem: false },
    values,
    build,
  );
  return { type: 'object', properties, ...required };
}

interface Parameter {
  readonly path: Path;
  /** As written; `undefined` inside the value of a reference. */
  readonly merged: Json | undefined;
  readonly value: Json;
  /** List items have no default and no description. */
  readonly isItem: boolean;
}

function describe(parameter: Parameter, build: SchemaBuild): JsonObject {
  const { value } = parameter;
  if (isJsonObject(value)) return describeMapping(parameter, value, build);
  if (isJsonArray(value)) return describeList(parameter, value, build);
  const { path, merged, isItem } = parameter;
  const uses = build.uses.at(path);
  const isReference = merged === undefined || (typeof merged === 'string' && merged.includes('${'));
  const isNeeded = value === null && uses.some(build.isNeeded);
  const { schema, shown } = describeScalar(value, { path, uses, isReference, isNeeded, report: build.report });
  return isItem ? schema : { ...schema, ...descriptionOf(path, build), ...(shown === null ? {} : { default: shown }) };
}

function describeMapping(parameter: Parameter, value: JsonObject, build: SchemaBuild): JsonObject {
  const { path, isItem } = parameter;
  const described = isItem ? {} : descriptionOf(path, build);
  if (Object.keys(value).length === 0) return { type: 'object', ...described, ...(isItem ? {} : { default: {} }) };
  const { required, properties } = describeProperties(parameter, value, build);
  return { type: 'object', ...described, properties, ...required };
}

function describeProperties(
  { path, merged, isItem }: Parameter,
  value: JsonObject,
  build: SchemaBuild,
): { readonly properties: JsonObject; readonly required: { readonly required?: readonly string[] } } {
  const inside = (key: string): Parameter => ({
    path: [...path, key],
    merged: isJsonObject(merged) ? merged[key] : undefined,
    value: value[key]!,
    isItem,
  });
  const keys = Object.keys(value);
  const needed = keys.filter((key) => value[key] === null && build.uses.at([...path, key]).some(build.isNeeded));
  return {
    properties: Object.fromEntries(keys.map((key) => [key, describe(inside(key), build)])),
    required: isItem || needed.length === 0 ? {} : { required: needed },
  };
}

function describeList({ path, merged, isItem }: Parameter, value: JsonArray, build: SchemaBuild): JsonObject {
  const items = value.map((item, index) =>
    describe(
      { path: [...path, index], merged: isJsonArray(merged) ? merged[index] : undefined, value: item, isItem: true },
      build,
    ),
  );
  const traced = listConstraints(build.uses.at(path));
  const limits = {
    ...traced,
    type: 'array',
    items: value.length === 0 ? (traced['items'] ?? {}) : commonSchema(items),
  };
  // The default may be shorter than Kubernetes allows, because the list may not be used yet.
  const schema = isAccepted(value, limits) ? limits : { type: 'array', items: limits.items };
  return isItem ? schema : { ...schema, ...descriptionOf(path, build), default: value };
}

function descriptionOf(path: Path, { uses, commentAt }: SchemaBuild): { readonly description?: string } {
  const description = describeParameter(commentAt(path), uses.at(path));
  return description === undefined ? {} : { description };
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
