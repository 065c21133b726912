import { quote } from '../../diagnostics/index.ts';
import { isPathBelow, valueAt } from '../../model/index.ts';
import type { Json, Location, OriginTable, Path, SourceFile } from '../../model/index.ts';
import {
  applicationSyntax,
  findValue,
  formatReferencePath,
  referencesIn,
  writeReference,
} from '../../parameters/index.ts';
import type { DeclaredOrigin, DeclaredValues } from '../../parameters/index.ts';
import { beginProvenance, once, stageOfPatches, traceParameters } from '../../provenance/index.ts';
import type { Cause, FindParameter, LikelyCauses, Provenance, TraceStep } from '../../provenance/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { locateInYaml } from '../../yaml/index.ts';
import type { ComposedObject } from './compose/composition.ts';
import type { ApplicationRendering } from './render-application.ts';

interface Known {
  readonly origins: OriginTable;
  /** Where the patches got types and merge keys from. */
  readonly store: (() => SchemaStore) | undefined;
}

type Leaf = Exclude<ReturnType<ApplicationRendering['causesOf']>, 'unknown'>[number];

/** The history of an application's objects: composed from documents, then patched. */
export function applicationProvenance(rendering: ApplicationRendering, { origins, store }: Known): Provenance {
  const { made: all, package: pkg, changes } = rendering;
  const findParameter = findDeclared(rendering.resolved.parameters);
  const objects = all.map(({ object }) => object);
  const patches = stageOfPatches({
    origins,
    objects,
    changes,
    files: pkg.patches,
    findParameter,
    store: () => store?.().with(objects, () => pkg.path),
  });
  const composedOf = once(() => new Map(all.map((composed) => [origins.get(composed.object), composed])));
  return beginProvenance({
    origins,
    objects: rendering.objects,
    historyOf(origin) {
      const composed = composedOf().get(origin);
      if (composed === undefined) return undefined;
      return {
        start: composed.object,
        causesOf: (path, value) => causesOfField(composed, { path, value, rendering, findParameter }),
        events: patches.eventsOf(origin),
      };
    },
    texts: () => textsOf(rendering),
    likelyCauses(object, path, text) {
      const composed = composedOf().get(origins.get(object));
      return composed?.locate === undefined
        ? { place: undefined, steps: [] }
        : likelyCauses({ composed, path, text }, rendering);
    },
  });
}

function textsOf({ package: pkg, layers, input }: ApplicationRendering): readonly SourceFile[] {
  const { application, declaration, profile, policy, patches } = pkg;
  const documents = [application, declaration, profile, policy].filter((source) => source !== undefined);
  const loaded = Array.from(input.sources?.values() ?? [], ({ name, text }) => ({ path: name, text }));
  return [...documents, ...patches.map(({ source }) => source), ...layers.map(({ source }) => source), ...loaded];
}

interface Site {
  readonly composed: ComposedObject;
  readonly path: Path;
  readonly text: string;
}

/** Where the application references the manifest or chart that contains the field, and the chart values visible in it. */
function likelyCauses({ composed, path, text }: Site, rendering: ApplicationRendering): LikelyCauses {
  const { resolved, input } = rendering;
  const place = composed.locate!(path);
  const own = [...composed.path, 'properties'];
  const find = findDeclared(resolved.parameters);
  const causes = rendering.causesOf(composed, path);
  const steps = (causes === 'unknown' ? [] : causes).flatMap((leaf): TraceStep[] => {
    const isOwn = leaf.input === 'application' && isPathBelow(leaf.path, own);
    const property = leaf.path[own.length];
    const isShown = (property === 'values' || property === 'version') && showsIn(leaf.value, text);
    if (!isOwn || leaf.isDefault === true || (!isShown && !isNameOf(leaf.value, place))) return [];
    const names = input.application.referencesAt?.(leaf.path) ?? [];
    const parameters = traceParameters(
      names.map((name) => [name]),
      find,
    );
    const location = resolved.locateWritten(leaf.path);
    return [{ kind: 'author', words: '', location, before: undefined, after: leaf.value, parameters }];
  });
  return { place, steps };
}

/** Whether the value names the source text: its URL, or a file of the package. */
function isNameOf(value: Json, { file }: Location): boolean {
  return typeof value === 'string' && value !== '' && (file === value || file.endsWith(`/${value}`));
}

/** Compares whole words: `1.2` does not appear in `web:1.2.3`. */
function showsIn(value: Json, image: string): boolean {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '') return false;
  for (let at = image.indexOf(text); at !== -1; at = image.indexOf(text, at + 1)) {
    const around = `${image[at - 1] ?? ''}${image[at + text.length] ?? ''}`;
    if (!/[\w.]/.test(around)) return true;
  }
  return false;
}

interface Field {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly rendering: ApplicationRendering;
  readonly findParameter: FindParameter;
}

/** Each value that determines the field, in document order; only the handler if no value does. */
function causesOfField(composed: ComposedObject, field: Field): readonly Cause[] {
  const { path, rendering, findParameter } = field;
  const place = composed.locate?.(path);
  const all = rendering.causesOf(composed, path);
  if (all === 'unknown') {
    const location = place ?? rendering.resolved.locateWritten(composed.path);
    return [{ kind: 'author', words: '', location, isExplicit: true, after: field.value }];
  }
  const leaves = place === undefined ? all : all.filter((leaf) => isApart(leaf, composed, { place, rendering }));
  const isWritten = composed.written !== undefined && valueAt(composed.written, path) !== undefined;
  if (place !== undefined && isWritten && leaves.length === 0) return [causeInText(place, field)];
  if (leaves.length === 0) return [{ kind: 'default', words: `default of ${composed.type}`, isExplicit: true }];
  return leaves.map((leaf) => causeOf(leaf, composed, { rendering, findParameter }));
}

interface WrittenOut {
  readonly place: Location;
  readonly rendering: ApplicationRendering;
}

/**
 * Changing any property that selects a manifest changes all of its objects, so such properties say nothing about a single
 * field. Its fields come from the manifest itself, or from something outside the properties.
 */
function isApart({ input, path }: Leaf, composed: ComposedObject, { place, rendering }: WrittenOut): boolean {
  const properties = [...composed.path, 'properties'];
  const isOwn = input === 'application' && isPathBelow(path, properties);
  return !isOwn || JSON.stringify(rendering.input.application.locate(path)) === JSON.stringify(place);
}

/** A field written in a source text. Only app.yaml can contain references. */
function causeInText(location: Location, { value, rendering, findParameter }: Field): Cause {
  const { application } = rendering.package;
  const range = location.file === application.path ? locateInYaml(application, location) : undefined;
  const written = range === undefined ? '' : application.text.slice(range.start, range.end);
  const parameters = traceParameters(
    referencesIn(written, applicationSyntax).map(({ text }) => [text]),
    findParameter,
  );
  return { kind: 'author', words: '', location, parameters, isExplicit: true, after: value };
}

function causeOf(
  leaf: Leaf,
  composed: ComposedObject,
  { rendering, findParameter }: Pick<Field, 'rendering' | 'findParameter'>,
): Cause {
  const { input, path, value, isDefault } = leaf;
  if (input === 'namespace' || input === 'fluxNamespace') {
    const flag = input === 'namespace' ? '--namespace' : '--flux-namespace';
    return { kind: 'flag', words: `${flag} ${value as string}`, isExplicit: true, after: value };
  }
  if (isDefault === true) {
    return {
      kind: 'default',
      words: `default of ${composed.type}.${formatReferencePath(path.slice(-1))}`,
      isExplicit: true,
      after: value,
    };
  }
  const document = rendering.input[input]!;
  if (input !== 'application')
    return { kind: input, words: '', location: document.locate(path), isExplicit: true, after: value };
  const names = document.referencesAt?.(path) ?? [];
  const parameters = traceParameters(
    names.map((name) => pathOfParameter(name, path, rendering)),
    findParameter,
  );
  return {
    kind: 'author',
    words: wordsFor(leaf, composed, rendering),
    location: locateLeaf(leaf, rendering),
    parameters,
    isExplicit: true,
    after: value,
  };
}

/** Names another trait that determines an object of a trait: an Ingress uses the Secret of a certificate. */
function wordsFor({ path }: Leaf, composed: ComposedObject, { input }: ApplicationRendering): string {
  const trait = path.slice(0, 5);
  const isOther = composed.path.length === trait.length && path[3] === 'traits' && !isPathBelow(path, composed.path);
  const type = isOther ? valueAt(input.application.data, [...trait, 'type']) : undefined;
  return typeof type === 'string' ? `trait ${quote(type)}` : '';
}

function locateLeaf({ path, isKey }: Leaf, { resolved }: ApplicationRendering): Location {
  const place = resolved.locateWritten(path);
  return isKey === true ? { ...place, at: 'key' } : place;
}

/** For a value inside a list or object that came from a parameter, its path within the parameter. */
function pathOfParameter(name: string, path: Path, { resolved }: ApplicationRendering): Path {
  const written = resolved.locateWritten(path).path ?? [];
  return [name, ...path.slice(written.length)];
}

/** The declared parameters of an application package. */
export function findDeclared(parameters: DeclaredValues | undefined): FindParameter {
  return ([name, ...inner]) => {
    const parameter = parameters && findValue(String(name), parameters);
    const value = parameter === undefined ? undefined : valueAt(parameter.value, inner);
    if (parameter === undefined || value === undefined) return undefined;
    return {
      name: writeReference(parameter.name, inner),
      value: inner.length === 0 ? value : undefined,
      written: parameter.writtenAt(inner),
      refersTo: parameter.refersTo.map((other) => [other]),
      ...describeOrigin(parameter.originAt(inner)),
    };
  };
}

function describeOrigin({ from, layer, location }: DeclaredOrigin): {
  readonly words: string;
  readonly location?: Location;
  readonly given: Location;
} {
  if (from === 'default') return { words: 'default', location, given: location };
  if (from === 'package' || layer === undefined) return { words: 'package', location, given: location };
  if (layer.kind !== 'set') return { words: layer.at === undefined ? '--values' : 'fleet', location, given: location };
  // An assignment has no file, so its text is its location.
  return { words: `${layer.source.path.replace(/\[\d+\]$/, '')} ${layer.source.text}`, given: location };
}
