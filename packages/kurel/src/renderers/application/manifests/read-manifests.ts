import { decodeObjects } from '../../../kube/index.ts';
import type { Diagnostic, KubeObject, Location, Path } from '../../../model/index.ts';
import { checkMarkers, readYaml } from '../../../yaml/index.ts';
import { holds } from '../compose/located-data.ts';
import { aimAt } from './aim-at.ts';
import { checkKeys } from './check-keys.ts';
import { checkManifest } from './check-manifest.ts';
import { cleanObject } from './clean-object.ts';
import { openSource } from './open-source.ts';
import { manifestProblems } from './problems.ts';
import type { SourceInput } from './source-properties.ts';

/** An object, and where its fields stand. */
export interface Manifest {
  readonly object: KubeObject;
  readonly locate: (path: Path) => Location;
}

/** The objects that a component names, in the order of the text; none after something was told, or when the text is not there yet. */
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
  const reading = readYaml(source);
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
    const locate = (path: Path): Location => {
      const whole = [...above, ...path];
      // A list of a type says with its own type what its items are.
      const isOfList = above.length > 0 && isType(path) && !holds(data.get(document), whole);
      return place({
        file,
        document,
        path: isOfList ? [...above.slice(0, -2), ...path] : whole,
        ...aimAt(object, path),
      });
    };
    return { object: cleanObject(object), locate };
  });
  for (const manifest of manifests) checkManifest(manifest, report);
  if (isRead && manifests.length === 0) {
    input.report(manifestProblems.create('manifest-none', { source: text.words }), [text.property]);
  }
  return isRead ? manifests : [];
}

function isType([first, ...more]: Path): boolean {
  return more.length === 0 && (first === 'apiVersion' || first === 'kind');
}

function placeFinding(diagnostic: Diagnostic, place: (location: Location) => Location): Diagnostic {
  const { location, related } = diagnostic;
  const placed = related?.map((one) => ({ message: one.message, location: place(one.location) }));
  return {
    ...diagnostic,
    ...(location === undefined ? {} : { location: place(location) }),
    ...(placed === undefined ? {} : { related: placed }),
  };
}

/** What a result says of objects that were read. */
export function placesOf(manifests: readonly Manifest[]): ReadonlyMap<KubeObject, Manifest['locate']> {
  return new Map(manifests.map(({ object, locate }) => [object, locate]));
}
