import { isJsonArray, isJsonObject } from './model/index.ts';
import type { Json, KubeObject, Location, Origin, OriginTable, Path } from './model/index.ts';
import { findValue, formatReferencePath, namesIn, writeReference } from './parameters/index.ts';
import type { DeclaredOrigin, DeclaredValues } from './parameters/index.ts';
import type { ApplicationRendering } from './renderers/index.ts';
import type { SchemaStore } from './schema/index.ts';
import { eventsOfPatches, traceParameters } from './trace/index.ts';
import type { Cause, FindParameter, ObjectHistory } from './trace/index.ts';
import { locateInYaml } from './yaml/index.ts';

interface InApplication {
  readonly origins: OriginTable;
  readonly store: SchemaStore | undefined;
}

type Made = ApplicationRendering['made'][number];
type Leaf = Exclude<ReturnType<ApplicationRendering['causesOf']>, 'unknown'>[number];

/** How an object of an application came about; `undefined` when it is none of its objects. */
export function historyInApplication(
  origin: Origin,
  rendering: ApplicationRendering,
  { origins, store }: InApplication,
): ObjectHistory | undefined {
  const { positions, own } = lookUp(rendering, { origins, store });
  const index = positions.get(origin) ?? -1;
  const made = rendering.made[index];
  if (made === undefined) return undefined;
  const findParameter = findDeclared(rendering.resolved.parameters);
  return {
    start: made.object,
    causesOf: (path, value) => causesOfField(made, { path, value, rendering, findParameter }),
    events: eventsOfPatches({
      object: made.object,
      changes: rendering.changes.filter((change) => change.index === index),
      files: rendering.package.patches,
      findParameter,
      store: own,
    }),
  };
}

interface LookUp {
  readonly positions: ReadonlyMap<Origin, number>;
  /** Knows the definitions of the application too. */
  readonly own: SchemaStore | undefined;
}

const lookUps = new WeakMap<ApplicationRendering, LookUp>();

/** Made once: every object of an application may be asked for. */
function lookUp(rendering: ApplicationRendering, { origins, store }: InApplication): LookUp {
  const known = lookUps.get(rendering);
  if (known !== undefined) return known;
  const objects = rendering.made.map(({ object }: { object: KubeObject }) => object);
  const positions = new Map<Origin, number>();
  for (const [index, object] of objects.entries()) {
    const origin = origins.get(object);
    if (origin !== undefined && !positions.has(origin)) positions.set(origin, index);
  }
  const made = { positions, own: store?.with(objects, () => rendering.package.path) };
  lookUps.set(rendering, made);
  return made;
}

interface Field {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly rendering: ApplicationRendering;
  readonly findParameter: FindParameter;
}

/** Each value that decides the field, in the order of the documents; the handler alone where there is none. */
function causesOfField(made: Made, field: Field): readonly Cause[] {
  const { path, rendering, findParameter } = field;
  const place = made.locate?.(path);
  const all = rendering.causesOf(made, path);
  if (all === 'unknown') {
    const location = place ?? rendering.resolved.locateWritten(made.path);
    return [{ kind: 'author', words: '', location, isSaid: true, after: field.value }];
  }
  const leaves = place === undefined ? all : all.filter((leaf) => isApart(leaf, made, { place, rendering }));
  const isWritten = made.written !== undefined && valueAt(made.written, path) !== undefined;
  if (place !== undefined && isWritten && leaves.length === 0) return [causeInText(place, field)];
  if (leaves.length === 0) return [{ kind: 'default', words: `default of ${made.type}`, isSaid: true }];
  return leaves.map((leaf) => causeOf(leaf, made, { rendering, findParameter }));
}

interface WrittenOut {
  readonly place: Location;
  readonly rendering: ApplicationRendering;
}

/**
 * An object that is written out somewhere comes and goes with each property that has to do with it, but its fields are decided
 * by what stands there, or by what is none of the properties.
 */
function isApart({ input, path }: Leaf, made: Made, { place, rendering }: WrittenOut): boolean {
  const properties = [...made.path, 'properties'];
  const isOwn = input === 'application' && properties.every((step, depth) => path[depth] === step);
  return !isOwn || JSON.stringify(rendering.input.application.locate(path)) === JSON.stringify(place);
}

/** A field that stands in a text; only the text of the application itself has references in it. */
function causeInText(location: Location, { value, rendering, findParameter }: Field): Cause {
  const { application } = rendering.package;
  const range = location.file === application.path ? locateInYaml(application, location) : undefined;
  const names = range === undefined ? [] : namesIn(application.text.slice(range.start, range.end));
  const parameters = traceParameters(
    names.map((name) => [name]),
    findParameter,
  );
  return { kind: 'author', words: '', location, parameters, isSaid: true, after: value };
}

function causeOf(
  leaf: Leaf,
  made: Made,
  { rendering, findParameter }: Pick<Field, 'rendering' | 'findParameter'>,
): Cause {
  const { input, path, value, isDefault } = leaf;
  if (input === 'namespace' || input === 'fluxNamespace') {
    const flag = input === 'namespace' ? '--namespace' : '--flux-namespace';
    return { kind: 'flag', words: `${flag} ${value as string}`, isSaid: true, after: value };
  }
  if (isDefault === true) {
    return {
      kind: 'default',
      words: `default of ${made.type} for ${formatReferencePath(path.slice(-1))}`,
      isSaid: true,
      after: value,
    };
  }
  const document = rendering.input[input]!;
  if (input !== 'application')
    return { kind: input, words: '', location: document.locate(path), isSaid: true, after: value };
  const names = document.referencesAt?.(path) ?? [];
  const parameters = traceParameters(
    names.map((name) => pathOfParameter(name, path, rendering)),
    findParameter,
  );
  return {
    kind: 'author',
    words: '',
    location: locateLeaf(leaf, rendering),
    parameters,
    isSaid: true,
    after: value,
  };
}

function locateLeaf({ path, isKey }: Leaf, { resolved }: ApplicationRendering): Location {
  const place = resolved.locateWritten(path);
  return isKey === true ? { ...place, at: 'key' } : place;
}

/** Of a value inside of a list or mapping that a parameter gave, the part of the parameter. */
function pathOfParameter(name: string, path: Path, { resolved }: ApplicationRendering): Path {
  const written = resolved.locateWritten(path).path ?? [];
  return [name, ...path.slice(written.length)];
}

/** The declared parameters of an application package. */
export function findDeclared(parameters: DeclaredValues | undefined): FindParameter {
  return ([name, ...inner]) => {
    const found = parameters && findValue(String(name), parameters);
    const value = found === undefined ? undefined : valueAt(found.value, inner);
    if (found === undefined || value === undefined) return undefined;
    return {
      name: writeReference(found.name, inner),
      value: inner.length === 0 ? value : undefined,
      refersTo: found.refersTo.map((other) => [other]),
      ...describeOrigin(found.originAt(inner)),
    };
  };
}

function valueAt(value: Json, path: Path): Json | undefined {
  let inner: Json | undefined = value;
  for (const step of path) {
    if (isJsonArray(inner)) inner = inner[Number(step)];
    else inner = isJsonObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }
  return inner;
}

function describeOrigin({ from, layer, location }: DeclaredOrigin): {
  readonly words: string;
  readonly location?: Location;
  readonly given: Location;
} {
  const given = location;
  if (from === 'default') return { words: 'default', location, given };
  if (from === 'package' || layer === undefined) return { words: 'package', location, given };
  if (layer.kind !== 'set') return { words: '--values', location, given };
  // An assignment is not in a file: its own words are its place.
  return { words: `${layer.source.path.replace(/\[\d+\]$/, '')} ${layer.source.text}`, given };
}
