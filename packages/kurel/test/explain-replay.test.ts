import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../src/host/index.ts';
import {
  build,
  createSchemaStore,
  formatField,
  formatObject,
  identityOf,
  locateInYaml,
  memoryFileSystem,
  readPatchFile,
  readValues,
} from '../src/index.ts';
import { explain } from './explain.ts';
import type {
  BuildRequest,
  Diagnostic,
  FieldTrace,
  KubeObject,
  Location,
  ParameterLayer,
  ParameterTrace,
  SourceFile,
} from '../src/index.ts';
import { isJsonArray, isJsonObject } from '../src/model/index.ts';
import type { Json, Path, Range } from '../src/model/index.ts';
import { listFiles, repository } from './source-tree.ts';

// What an explanation names as the cause of a field must be its cause: when the very word that it points to is changed, the
// field changes or is gone. Every field of every object of every package below is put to this test.

interface Subject {
  readonly name: string;
  /** The directory that the packages are in. */
  readonly root: string;
  readonly path: string;
  readonly values?: readonly string[];
}

const examples = join(repository, 'examples', 'packages');
const fixtures = join(repository, 'packages', 'kurel', 'test', 'data', 'explain-packages');

const subjects = [examples, fixtures].flatMap((root) => readdirSync(root).flatMap((name) => subjectsOf(root, name)));

/** A package by itself, and with each of its examples. */
function subjectsOf(root: string, path: string): readonly Subject[] {
  if (!/(?<!\.local)\.kurel$/.test(path)) return [];
  const directory = join(root, path, 'examples');
  const given = statSync(directory, { throwIfNoEntry: false }) === undefined ? [] : listFiles(directory, '.yaml');
  return [
    { name: path, root, path },
    ...given.map((file) => ({ name: `${path} with ${file}`, root, path, values: [`${path}/examples/${file}`] })),
  ];
}

const store = createSchemaStore({ files: bundledSchemas() });

type Texts = Readonly<Record<string, string>>;

function readTexts(root: string): Texts {
  const files = listFiles(root, '').filter((path) => statSync(join(root, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function requestFor({ path, values = [] }: Subject, texts: Texts): Omit<BuildRequest, 'transformers'> {
  const layers = values.map((file): ParameterLayer => {
    const source = { path: file, text: texts[file]! };
    return { kind: 'values', source, data: readValues(source, () => undefined) ?? {} };
  });
  return { path, fileSystem: memoryFileSystem(texts), package: { layers }, store: () => store };
}

describe.each(subjects)('$name', (subject) => {
  const texts = readTexts(subject.root);

  it('has a cause for every field, and a change of the cause changes the field', async () => {
    const { result, traceOf } = await explain(requestFor(subject, texts));
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const fields = result.objects.flatMap((object) =>
      traceOf(object).flatMap((field) => (field.value === undefined ? [] : [{ object, field }])),
    );
    expect(fields.length).toBeGreaterThan(0);
    const replays = new Map<string, Promise<Replay>>();
    const wrong: string[] = [];
    for (const { object, field } of fields) {
      const name = `${formatObject(object)} ${formatField(field.path, object)}`;
      if (!isUnbroken(field)) wrong.push(`${name}: its steps do not follow from one another`);
      const location = lastCause(field);
      const altered = location === undefined ? undefined : alterAt(location, texts);
      if (altered === undefined) {
        wrong.push(`${name}: no cause that could be changed`);
        continue;
      }
      const key = JSON.stringify(location);
      const replay = replays.get(key) ?? rebuild(subject, altered);
      replays.set(key, replay);
      const outcome = await replay;
      if ('error' in outcome) {
        if (!isMissed(outcome.error, field)) wrong.push(`${name}: when ${key} is changed, ${outcome.error.message}`);
        continue;
      }
      const again = outcome.objects.find((one) => identityOf(one) === identityOf(object));
      // The name of an item may come back with another item.
      const path = field.path.at(-1) === 'name' ? field.path.slice(0, -1) : field.path;
      if (again !== undefined && JSON.stringify(valueAt(again, path)) === JSON.stringify(valueAt(object, path))) {
        wrong.push(`${name} stays the same when ${key} is changed`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Each step begins where the one before it ended, and the last one ends with what the field is. */
function isUnbroken({ steps, value }: FieldTrace): boolean {
  const print = (one: Json | undefined): string => JSON.stringify(one) ?? 'nothing';
  const ends = [undefined, ...steps.map(({ after }) => after)];
  return (
    steps.every(({ before }, index) => print(before) === print(ends[index])) && print(ends.at(-1)) === print(value)
  );
}

type Replay = { readonly objects: readonly KubeObject[] } | { readonly error: Diagnostic };

async function rebuild(subject: Subject, texts: Texts): Promise<Replay> {
  const { objects, diagnostics, rendering } = await build(requestFor(subject, texts));
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) return { error };
  // A Namespace that is gone from the resources may be made anew; that is another one.
  const isGenerated = (object: KubeObject): boolean =>
    rendering.provenance.historyOf(object).causesOf(['kind'], object.kind)[0]?.kind === 'generated';
  const generated = new Set(objects.filter(isGenerated).map(identityOf));
  return { objects: objects.filter((object) => !generated.has(identityOf(object))) };
}

/** A type or a name that patches go by cannot be changed without them: that they miss it says enough. */
function isMissed({ code, message }: Diagnostic, { path, value }: FieldTrace): boolean {
  if (path.length === 1 && (path[0] === 'apiVersion' || path[0] === 'kind')) return true;
  // A Namespace cannot go to a later phase without what is in it.
  if (code === 'phase-too-early') return path.at(-1) === 'kurel.gokure.dev/install-phase';
  if (code === 'selector-no-match') return message.endsWith(`=${value as string}`);
  return code === 'smp-merge-key-missing' && message.includes(`"${value as string}x"`);
}

/** The last thing that is said about a field: a parameter, and of that the one it refers to, before the patch that uses it. */
function lastCause({ steps }: FieldTrace): Location | undefined {
  const step = steps.at(-1);
  let parameter: ParameterTrace | undefined = step?.parameters.at(-1);
  while (parameter !== undefined && parameter.refersTo.length > 0) parameter = parameter.refersTo.at(-1);
  return parameter === undefined ? step?.location : parameter.location;
}

/** The texts with another value at a place. */
function alterAt(location: Location, texts: Texts): Texts | undefined {
  const text = texts[location.file];
  if (text === undefined) return undefined;
  const range = valueRange({ path: location.file, text }, location);
  if (range === undefined) return undefined;
  const altered = alterText(text.slice(range.start, range.end));
  return { ...texts, [location.file]: text.slice(0, range.start) + altered + text.slice(range.end) };
}

function valueRange(source: SourceFile, location: Location): Range | undefined {
  if (location.range === undefined) return locateInYaml(source, { ...location, at: 'value' });
  // A kpatch file is pointed into by the keys of its entries.
  for (const patch of readPatchFile(source, () => undefined).patches) {
    if (patch.type !== 'field') continue;
    const entries = patch.value.type === 'item' ? patch.value.entries : [patch];
    const entry = entries.find((one) => JSON.stringify(one.location) === JSON.stringify(location));
    if (entry === undefined || !('location' in entry.value)) continue;
    return entry.value.location.range;
  }
  return undefined;
}

function alterText(text: string): string {
  if (/^\s*\{\s*\}\s*$/.test(text)) return '{ altered: x }';
  if (/^\s*\[\s*\]\s*$/.test(text)) return '[altered]';
  if (/^(["'])\1$/.test(text.trim())) return 'altered';
  for (const [one, other] of opposites) {
    if (new RegExp(`^(["']?)${one}\\1$`).test(text)) return text.replace(one, other);
  }
  if (/[0-9]/.test(text)) return text.replace(/[0-9]/, (digit) => String((Number(digit) % 9) + 1));
  if (/[a-zA-Z]/.test(text)) return text.replace(/[a-zA-Z](?=[^a-zA-Z]*$)/, '$&x');
  return text.replace(/["']?$/, 'x$&');
}

/** Words that stand for something to kurel itself, so that any other word would be an error. */
const opposites = [
  ['true', 'false'],
  ['false', 'true'],
  ['pre-install', 'main'],
  ['post-install', 'main'],
] as const;

function valueAt(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (typeof step === 'number') value = isJsonArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) ? value[step] : undefined;
  }
  return value;
}
