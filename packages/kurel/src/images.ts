import { getOrAdd } from './budget/index.ts';
import { explainHiddenImages, imageSitesOf, normalizeImageReference, parseImageReference } from './kube/index.ts';
import type { NamedImageReference } from './kube/index.ts';
import { compareText } from './model/index.ts';
import type { KubeObject, Location, Path } from './model/index.ts';
import { traceOf } from './provenance/index.ts';
import type { FieldTrace, Rendering, TraceStep } from './provenance/index.ts';

export interface ImageList {
  /** Sorted by text. */
  readonly images: readonly ListedImage[];
  /** Objects that run images which are only known in the cluster. */
  readonly hidden: readonly HiddenImages[];
}

/** An image, and every field that names it. */
export interface ListedImage {
  /** As written. */
  readonly image: string;
  /** With the parts that short names omit; `undefined` if container runtimes would reject the text. */
  readonly reference: NamedImageReference | undefined;
  readonly uses: readonly ImageUse[];
}

export interface ImageUse {
  readonly object: KubeObject;
  readonly path: Path;
  /** The causes of the field, without those of the whole object if there are others; `undefined` if none are known. */
  readonly trace: FieldTrace | undefined;
  /**
   * For an object that an application takes from a text or a chart: where the source is named, and the chart values that appear in
   * the image. How a chart uses its values is unknown, so this is only likely.
   */
  readonly likely: readonly TraceStep[];
}

export interface HiddenImages {
  readonly object: KubeObject;
  /** `its chart is rendered in the cluster` */
  readonly reason: string;
}

/** The images of all objects of a build. */
export function listImages({ objects, provenance }: Rendering): ImageList {
  const usesOf = new Map<string, ImageUse[]>();
  for (const object of objects) {
    const sites = imageSitesOf(object);
    if (sites.length === 0) continue;
    const traces = new Map(traceOf(object, provenance).map((trace) => [JSON.stringify(trace.path), trace]));
    const whole = new Set(traces.get('["kind"]')?.steps.map(keyOfStep));
    for (const { path, image } of sites) {
      const { place, steps: likely } = provenance.likelyCauses(object, path, image);
      const all = traces.get(JSON.stringify(path));
      const trace = all && { ...all, steps: chooseSteps(all.steps, whole, place) };
      getOrAdd(usesOf, image, () => []).push({ object, path, trace, likely });
    }
  }
  const images = Array.from(usesOf, ([image, uses]): ListedImage => {
    const reference = parseImageReference(image);
    return { image, reference: reference && normalizeImageReference(reference), uses };
  });
  return {
    images: images.toSorted((a, b) => compareText(a.image, b.image)),
    hidden: objects.flatMap((object) => {
      const reason = explainHiddenImages(object);
      return reason === undefined ? [] : [{ object, reason }];
    }),
  };
}

function keyOfStep({ kind, words, location, parameters }: TraceStep): string {
  return JSON.stringify([kind, words, location, parameters.map(({ name }) => name)]);
}

/** Leaves out the steps that set the kind of the object, unless there are no others: then those at its own location are best. */
function chooseSteps(
  steps: readonly TraceStep[],
  whole: ReadonlySet<string>,
  place: Location | undefined,
): readonly TraceStep[] {
  const own = steps.filter((step) => !whole.has(keyOfStep(step)));
  if (own.length > 0) return own;
  const there = steps.filter(({ location }) => JSON.stringify(location) === JSON.stringify(place));
  return there.length > 0 ? there : steps;
}
