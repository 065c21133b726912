import { explainHiddenImages, imageSitesOf, normalizeImageReference, parseImageReference } from './kube/index.ts';
import type { NamedImageReference } from './kube/index.ts';
import type { KubeObject, Location, Path } from './model/index.ts';
import { traceOf } from './provenance/index.ts';
import type { FieldTrace, Rendering, TraceStep } from './provenance/index.ts';

export interface ImageList {
  /** By their texts. */
  readonly images: readonly ListedImage[];
  /** What is known to run images that only the cluster will know. */
  readonly hidden: readonly HiddenImages[];
}

/** An image, and every field that names it. */
export interface ListedImage {
  /** As it is written. */
  readonly image: string;
  /** With what short names leave out; `undefined` when no container runtime would take the text. */
  readonly reference: NamedImageReference | undefined;
  readonly uses: readonly ImageUse[];
}

export interface ImageUse {
  readonly object: KubeObject;
  readonly path: Path;
  /**
   * What made the field what it is, without what made all of the object as long as there is something else; `undefined` when
   * nothing is known about it.
   */
  readonly trace: FieldTrace | undefined;
  /**
   * Of an object that an application takes from a text or a chart: where that is named, and the values of the chart that show in
   * the image. What a chart makes of its values is its own affair, so this is no more than likely.
   */
  readonly likely: readonly TraceStep[];
}

export interface HiddenImages {
  readonly object: KubeObject;
  /** `its chart is rendered in the cluster` */
  readonly reason: string;
}

/** The images of everything that was built. */
export function listImages({ objects, provenance }: Rendering): ImageList {
  const uses = new Map<string, ImageUse[]>();
  for (const object of objects) {
    const sites = imageSitesOf(object);
    if (sites.length === 0) continue;
    const traces = new Map(traceOf(object, provenance).map((trace) => [JSON.stringify(trace.path), trace]));
    const whole = new Set(traces.get('["kind"]')?.steps.map(keyOfStep));
    for (const { path, image } of sites) {
      const { place, steps: likely } = provenance.likelyCauses(object, path, image);
      const found = traces.get(JSON.stringify(path));
      const trace = found === undefined ? undefined : { ...found, steps: chooseSteps(found.steps, { whole, place }) };
      const use = { object, path, trace, likely };
      const known = uses.get(image);
      if (known === undefined) uses.set(image, [use]);
      else known.push(use);
    }
  }
  const images = Array.from(uses, ([image, found]): ListedImage => {
    const reference = parseImageReference(image);
    return {
      image,
      reference: reference === undefined ? undefined : normalizeImageReference(reference),
      uses: found,
    };
  });
  return {
    images: images.toSorted((a, b) => (a.image < b.image ? -1 : 1)),
    hidden: objects.flatMap((object) => {
      const reason = explainHiddenImages(object);
      return reason === undefined ? [] : [{ object, reason }];
    }),
  };
}

function keyOfStep({ kind, words, location, parameters }: TraceStep): string {
  return JSON.stringify([kind, words, location, parameters.map(({ name }) => name)]);
}

interface Choice {
  /** Steps that made the kind of the object, by their keys. */
  readonly whole: ReadonlySet<string>;
  /** Where the object stands, when that is known. */
  readonly place: Location | undefined;
}

function chooseSteps(steps: readonly TraceStep[], { whole, place }: Choice): readonly TraceStep[] {
  const own = steps.filter((step) => !whole.has(keyOfStep(step)));
  if (own.length > 0) return own;
  const there = steps.filter(({ location }) => JSON.stringify(location) === JSON.stringify(place));
  return there.length > 0 ? there : steps;
}
