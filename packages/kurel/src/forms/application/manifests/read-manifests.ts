import { quote } from '../../../diagnostics/index.ts';
import { decodeObjects } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, Json, Location, Path, Report, SourceFile } from '../../../model/index.ts';
import { checkMarkers, locateInYaml, readYaml } from '../../../yaml/index.ts';
import type { YamlDocument } from '../../../yaml/index.ts';
import type { ComponentInput, ComponentResult, LocateInText, PropertiesOf } from '../catalog/define.ts';
import type { Field, Fields } from '../../../documents/index.ts';
import { holds, textField } from '../../../documents/index.ts';
import { aimAt, checkManifest, cleanObject } from './check-manifest.ts';
import type { Manifest } from './check-manifest.ts';
import { manifestProblems } from './problems.ts';

/** Sources of manifests. */
export const sourceProperties = {
  inline: { type: 'string', description: 'Manifests as one string with any number of YAML documents.' },
  file: textField('package-path', 'Path of a manifest file in the package.'),
  url: textField('manifest-url', 'URL of a manifest file, downloaded at build time.'),
  sha256: textField('sha256', 'SHA-256 digest that the file at the URL must have.'),
} as const satisfies Fields;

const sourceNames = ['inline', 'file', 'url'] as const;

export const sourceRelations: Field['relations'] = [
  {
    anyOf: sourceNames,
    hint: 'add "inline" with the manifests, "file" with a path in the package, or "url"',
  },
  { exclusive: sourceNames, hint: 'keep one of them, and move the other to another component' },
  { fields: ['sha256'], require: 'url', hint: 'remove "sha256"; manifests inside the package need no checksum' },
];

/** Advice for users who look for a chart here. */
export const unsupportedSources = {
  chart: 'use a component of type "helmchart", or set the objects with "inline", "file" or "url"',
};

type SourceInput = ComponentInput<PropertiesOf<typeof sourceProperties>>;

/** The objects of a component, in source order; none after an error, or if the source is not loaded yet. */
export function readManifests(input: SourceInput): readonly Manifest[] {
  const text = openSource(input);
  if (text === undefined) return [];
  const { source, place } = text;
  const { path: file } = source;
  let isRead = true;
  const report = (diagnostic: Diagnostic): void => {
    isRead &&= diagnostic.severity !== 'error';
    input.reportPlaced(diagnostic);
  };
  const reportInText = (diagnostic: Diagnostic): void => report(placeFinding(diagnostic, place));
  const reading = readYaml(source, { memory: input.memory });
  const { documents, diagnostics } = reading;
  diagnostics.forEach(reportInText);
  checkMarkers(source, reading).forEach(reportInText);
  for (const document of documents) checkKeys(document, source, reportInText);
  const decoded = decodeObjects(documents, {
    file,
    report: reportInText,
    onSkip({ document, path = [], reason }) {
      const args = { document, isItem: path.length > 0, reason };
      reportInText(manifestProblems.create('manifest-foreign', args, { location: { file, document, path } }));
    },
  });
  const data = new Map(documents.map((document) => [document.index, document.data]));
  const manifests = decoded.map(({ object, document, path: above = [] }): Manifest => {
    const locate: LocateInText = (path, at) => {
      const whole = [...above, ...path];
      // The type of a typed List determines the type of its items.
      const isType = path.length === 1 && (path[0] === 'apiVersion' || path[0] === 'kind');
      const isOfList = above.length > 0 && isType && !holds(data.get(document), whole);
      return place({
        file,
        document,
        path: isOfList ? [...above.slice(0, -2), ...path] : whole,
        ...aimAt(object, path, at),
      });
    };
    // Components with the same source share the parsed text, but each has its own objects.
    return { object: cleanObject({ ...object }), locate };
  });
  for (const manifest of manifests) checkManifest(manifest, report);
  if (isRead && manifests.length === 0) {
    input.report(manifestProblems.create('manifest-none', { source: text.words }), [text.property]);
  }
  return isRead ? manifests : [];
}

function placeFinding(diagnostic: Diagnostic, place: (location: Location) => Location): Diagnostic {
  const { location, related } = diagnostic;
  const placed = related?.map((note) => ({ message: note.message, location: place(note.location) }));
  return {
    ...diagnostic,
    ...(location === undefined ? {} : { location: place(location) }),
    ...(placed === undefined ? {} : { related: placed }),
  };
}

/** The objects and their locations, for the component result. */
export function resultOf(manifests: readonly Manifest[]): Pick<ComponentResult, 'objects' | 'places'> {
  return {
    objects: manifests.map(({ object }) => object),
    places: new Map(manifests.map(({ object, locate }) => [object, locate])),
  };
}

const words = /^(?:y|yes|on|n|no|off)$/i;

/** Finds unquoted words that users mean as keys and Kubernetes reads as booleans. */
function checkKeys({ index, data }: YamlDocument, source: SourceFile, report: Report): void {
  if (data !== undefined) walk(data, []);

  function walk(value: Json, path: Path): void {
    if (isJsonArray(value)) for (const [position, item] of value.entries()) walk(item, [...path, position]);
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) {
      if (key === 'true' || key === 'false') checkKey(key, [...path, key]);
      walk(value[key]!, [...path, key]);
    }
  }

  function checkKey(key: string, path: Path): void {
    const location = { file: source.path, document: index, path, at: 'key' } as const;
    const range = locateInYaml(source, location);
    const word = range === undefined ? '' : source.text.slice(range.start, range.end);
    if (words.test(word)) report(manifestProblems.create('manifest-key-boolean', { word, key }, { location }));
  }
}

/**
 * A text with manifests, the property that contains or references it, its name in messages, and a function that converts a
 * location in the text to one that the user can open. `undefined` if there is no text, or it is not loaded yet.
 */
function openSource(input: SourceInput) {
  const { properties, load, locate } = input;
  const [first, ...more] = sourceNames.filter((name) => properties[name] !== undefined);
  const { inline = '', file, url, sha256 } = properties;
  if (first === undefined || more.length > 0) return undefined;
  const path = [first];
  if (first === 'inline') {
    const source = { path: first, text: inline };
    const locatePart = input.locateText(inline, path);
    // Locations point into the file that contains the string.
    const place = (location: Location): Location => {
      const range = locateInYaml(source, location);
      return range === undefined ? locate(path) : locatePart(range);
    };
    return { source, property: first, words: quote(first), place };
  }
  const loaded = load(first === 'file' ? { kind: first, path: file! } : { kind: first, url: url!, sha256 }, path);
  if (loaded === undefined) return undefined;
  const source = { path: loaded.name, text: loaded.text };
  return { source, property: first, words: quote(properties[first]!), place: (location: Location) => location };
}
