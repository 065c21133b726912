import { quote, sentence, setting } from '../../diagnostics/index.ts';
import { isPathBelow, valueAt } from '../../model/index.ts';
import type { Json, Location, Message, OriginTable, Path, SourceFile } from '../../model/index.ts';
import {
  applicationSyntax,
  findValue,
  formatReferencePath,
  referencesIn,
  writeReference,
} from '../../parameters/index.ts';
import type { DeclaredOrigin, DeclaredValues } from '../../parameters/index.ts';
import { beginProvenance, once, stageOfPatches, traceParameters } from '../../provenance/index.ts';
import type { Cause, FindParameter, Provenance, TraceStep } from '../../provenance/index.ts';
import { locateInYaml } from '../../yaml/index.ts';
import type { ComposedObject } from './compose/composition.ts';
import type { ApplicationRendering } from './render-application.ts';

/** All causes of an application name the exact field. */
type FieldCause = Omit<Cause, 'isExplicit'>;

type Leaf = Exclude<ReturnType<ApplicationRendering['causesOf']>, 'unknown'>[number];

/** The history of an application's objects: composed from documents, then patched. */
export function applicationProvenance(rendering: ApplicationRendering, origins: OriginTable): Provenance {
  const { made: all, package: pkg, changes, resolved, input } = rendering;
  const findParameter = findDeclared(resolved.parameters);
  const objects = all.map(({ object }) => object);
  const patches = stageOfPatches({
    origins,
    objects,
    changes,
    files: pkg.patches,
    findParameter,
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
        causesOf: (path, value) =>
          causesOfField(composed, path, value).map((cause) => Object.assign({ isExplicit: true }, cause)),
        events: patches.eventsOf(origin),
      };
    },
    texts: () => textsOf(rendering),
    likelyCauses(object, path, text) {
      const composed = composedOf().get(origins.get(object));
      const place = composed?.locate?.(path);
      if (composed === undefined || place === undefined) return { place, steps: [] };
      const leaves = rendering.causesOf(composed, path);
      const shown = (leaves === 'unknown' ? [] : leaves).filter((leaf) => isShown(leaf, composed, { place, text }));
      return { place, steps: shown.map(stepOf) };
    },
  });

  /** Each value that determines the field, in document order; only the handler if no value does. */
  function causesOfField(composed: ComposedObject, path: Path, value: Json | undefined): readonly FieldCause[] {
    const place = composed.locate?.(path);
    const leaves = rendering.causesOf(composed, path);
    if (leaves === 'unknown') {
      const location = place ?? resolved.locateWritten(composed.path);
      return [{ kind: 'author', words: '', location, after: value }];
    }
    // Changing any property that selects a manifest changes all of its objects, so such properties say nothing about a
    // single field. Its fields come from the manifest itself, or from something outside the properties.
    const isApart = (leaf: Leaf): boolean =>
      !isOwnProperty(leaf, composed) || JSON.stringify(input.application.locate(leaf.path)) === JSON.stringify(place);
    const apart = place === undefined ? leaves : leaves.filter(isApart);
    if (apart.length > 0) return apart.map((leaf) => causeOf(leaf, composed));
    const isWritten = composed.written !== undefined && valueAt(composed.written, path) !== undefined;
    if (place !== undefined && isWritten) return [causeInText(place, value)];
    return [{ kind: 'default', words: `default of ${composed.type}` }];
  }

  /** A field written in a source text. Only app.yaml can contain references. */
  function causeInText(location: Location, value: Json | undefined): FieldCause {
    const { application } = pkg;
    const range = location.file === application.path ? locateInYaml(application, location) : undefined;
    const written = range === undefined ? '' : application.text.slice(range.start, range.end);
    const names = referencesIn(written, applicationSyntax).map(({ text }) => [text]);
    return { kind: 'author', words: '', location, parameters: traceParameters(names, findParameter), after: value };
  }

  function causeOf(leaf: Leaf, composed: ComposedObject): FieldCause {
    const { input: name, path, value: after } = leaf;
    if (name === 'namespace' || name === 'fluxNamespace') {
      return { kind: 'flag', words: sentence`${setting(name, after as string)}`, after };
    }
    if (leaf.isDefault === true) {
      return { kind: 'default', words: `default of ${composed.type}.${formatReferencePath(path.slice(-1))}`, after };
    }
    if (name !== 'application') return { kind: name, words: '', location: input[name]!.locate(path), after };
    const place = resolved.locateWritten(path);
    // For a value inside a list or object that came from a parameter, its path within the parameter.
    const inside = path.slice(place.path?.length ?? 0);
    const names = input.application.referencesAt?.(path) ?? [];
    const parameters = traceParameters(
      names.map((parameter) => [[parameter], inside].flat()),
      findParameter,
    );
    const location: Location = leaf.isKey === true ? { ...place, at: 'key' } : place;
    return { kind: 'author', words: nameOtherTrait(path, composed), location, parameters, after };
  }

  /** Names another trait that determines an object of a trait: an Ingress uses the Secret of a certificate. */
  function nameOtherTrait(path: Path, composed: ComposedObject): string {
    const trait = path.slice(0, 5);
    const isOther = composed.path.length === trait.length && path[3] === 'traits' && !isPathBelow(path, composed.path);
    const type = isOther ? valueAt(input.application.data, [...trait, 'type']) : undefined;
    return typeof type === 'string' ? `trait ${quote(type)}` : '';
  }

  function stepOf({ path, value }: Leaf): TraceStep {
    const names = (input.application.referencesAt?.(path) ?? []).map((name) => [name]);
    const parameters = traceParameters(names, findParameter);
    const location = resolved.locateWritten(path);
    return { kind: 'author', words: '', location, before: undefined, after: value, parameters };
  }
}

function textsOf({ package: pkg, layers, input }: ApplicationRendering): readonly SourceFile[] {
  const { application, declaration, profile, policy, patches } = pkg;
  const documents = [application, declaration, profile, policy].filter((source) => source !== undefined);
  const loaded = Array.from(input.sources?.values() ?? [], ({ name, text }) => ({ path: name, text }));
  return [...documents, ...patches.map(({ source }) => source), ...layers.map(({ source }) => source), ...loaded];
}

function isOwnProperty({ input, path }: Leaf, composed: ComposedObject): boolean {
  return input === 'application' && isPathBelow(path, [...composed.path, 'properties']);
}

interface Shown {
  /** Of the field, in the manifest or chart that contains it. */
  readonly place: Location;
  readonly text: string;
}

/** Whether a property names the manifest or chart that contains the field, or is a chart value that is visible in it. */
function isShown(leaf: Leaf, composed: ComposedObject, { place, text }: Shown): boolean {
  if (!isOwnProperty(leaf, composed) || leaf.isDefault === true) return false;
  const property = leaf.path[composed.path.length + 1];
  const isOfChart = property === 'values' || property === 'version';
  return (isOfChart && showsIn(leaf.value, text)) || isNameOf(leaf.value, place);
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

/** The declared parameters of an application package. */
export function findDeclared(parameters: DeclaredValues | undefined): FindParameter {
  return ([name, ...inner]) => {
    const parameter = parameters && findValue(String(name), parameters);
    const value = parameter === undefined ? undefined : valueAt(parameter.value, inner);
    if (parameter === undefined || value === undefined) return undefined;
    return {
      name: writeReference(parameter.name, inner),
      value: inner.length === 0 ? value : undefined,
      refersTo: parameter.refersTo.map((other) => [other]),
      ...describeOrigin(parameter.originAt(inner)),
    };
  };
}

function describeOrigin({ from, layer, location }: DeclaredOrigin): {
  readonly words: Message;
  readonly location?: Location;
  readonly given: Location;
} {
  if (from === 'default') return { words: 'default', location, given: location };
  if (from === 'package' || layer === undefined) return { words: 'package', location, given: location };
  if (layer.kind !== 'set')
    return { words: layer.at === undefined ? sentence`${setting('values')}` : 'fleet', location, given: location };
  // An assignment has no file, so its text is its location.
  return { words: `${layer.source.path.replace(/\[\d+\]$/, '')} ${layer.source.text}`, given: location };
}
