import { isJsonArray, isJsonObject, type Json } from '../packages/kurel/src/model/index.ts';
import { readYaml, writeYaml } from '../packages/kurel/src/yaml/index.ts';
import { joinParts, splitParts } from './parts.ts';
import type { Random } from './random.ts';

const values: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  70_000,
  9007199254740993n,
  '',
  ' ',
  'a',
  '1',
  'true',
  'null',
  '${name}',
  '${a}',
  'x'.repeat(300),
  '../..',
  'a\nb',
  'é😀',
  '10Gi',
  '-5m',
  'A_B',
  [],
  {},
  [null],
  ['a', 'a'],
  { a: 'b' },
  { name: 'a', value: 1 },
];

/** Changes what one of the files says, where changes of its text would mostly make it unreadable. */
export function mutateData(text: string, random: Random, others: readonly string[]): string {
  const parts = splitParts(text).filter(({ path }) => path !== '');
  if (parts.length === 0) return text;
  const chosen = random.pick(parts);
  const documents = read(chosen.text);
  const data = documents === undefined ? undefined : random.pick(documents);
  if (documents === undefined || data === undefined) return text;
  let changed = data;
  for (let more = true; more; more = random.below(2) > 0) changed = change(changed, random, others);
  const written = documents.map((one) => writeYaml(one === data ? changed : one)).join('---\n');
  return joinParts(
    Object.fromEntries(parts.map(({ path, text: own }) => [path, path === chosen.path ? written : own])),
  );
}

function read(text: string): readonly Json[] | undefined {
  const { documents, diagnostics } = readYaml({ path: 'a.yaml', text });
  const found = documents.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return diagnostics.length > 0 || found.length === 0 ? undefined : found;
}

/** Goes down some way and changes what is there. */
function change(data: Json, random: Random, others: readonly string[]): Json {
  const size = isJsonArray(data) ? data.length : isJsonObject(data) ? Object.keys(data).length : 0;
  if (size === 0 || random.below(8) === 0) return replacement(data, random, others);
  const at = random.below(size);
  return isJsonArray(data) ? changeItem(data, at, { random, others }) : changeEntry(data, at, { random, others });
}

interface Means {
  readonly random: Random;
  readonly others: readonly string[];
}

function changeItem(items: readonly Json[], at: number, { random, others }: Means): Json {
  const kind = random.below(8);
  if (kind === 0) return items.toSpliced(at, 1);
  if (kind === 1) return items.toSpliced(random.below(items.length + 1), 0, items[at]!);
  return items.with(at, change(items[at]!, random, others));
}

function changeEntry(data: Json, at: number, { random, others }: Means): Json {
  const entries = Object.entries(data as Readonly<Record<string, Json>>);
  const [key, value] = entries[at]!;
  const kind = random.below(12);
  if (kind === 0) entries.splice(at, 1);
  else if (kind === 1) entries[at] = [random.pick(['a', 'enabled', 'name', `${key}x`, key.slice(1)]), value];
  else if (kind === 2) entries.push([random.pick(['a', 'enabled', 'labels', 'properties', key]), random.pick(values)]);
  else if (kind === 3) entries[at] = [key, random.pick(entries)[1]];
  else entries[at] = [key, change(value, random, others)];
  return Object.fromEntries(entries);
}

/** Another value, or one from somewhere in another text. */
function replacement(data: Json, random: Random, others: readonly string[]): Json {
  if (random.below(3) > 0 || others.length === 0) return random.pick(values);
  const parts = splitParts(random.pick(others));
  let found = random.pick(read(random.pick(parts).text) ?? [data]);
  for (let depth = random.below(8); depth > 0; depth--) {
    const inner = isJsonArray(found) ? found : isJsonObject(found) ? Object.values(found) : [];
    if (inner.length === 0) break;
    found = random.pick(inner);
  }
  return found;
}
