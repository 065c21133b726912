import { findDeclared } from './application-history.ts';
import type { BuildResult } from './build.ts';
import type { Explanation } from './explain.ts';
import { explainHiddenImages, imageSitesOf, normalizeImageReference, parseImageReference } from './kube/index.ts';
import type { NamedImageReference } from './kube/index.ts';
import type { Json, KubeObject, Location, Path } from './model/index.ts';
import { traceParameters } from './trace/index.ts';
import type { FieldTrace, TraceStep } from './trace/index.ts';

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
export function listImages({ result, traceOf }: Pick<Explanation, 'result' | 'traceOf'>): ImageList {
  const { objects } = result;
  const uses = new Map<string, ImageUse[]>();
  for (const object of objects) {
    const sites = imageSitesOf(object);
    if (sites.length === 0) continue;
    const traces = new Map(traceOf(object).map((trace) => [JSON.stringify(trace.path), trace]));
    const whole = new Set(traces.get('["kind"]')?.steps.map(keyOfStep));
    for (const { path, image } of sites) {
      const { place, likely } = findLikely({ object, path, image }, result);
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

interface Site {
  readonly object: KubeObject;
  readonly path: Path;
  readonly image: string;
}

interface Likely extends Pick<ImageUse, 'likely'> {
  readonly place: Location | undefined;
}

function findLikely({ object, path, image }: Site, { origins, application }: BuildResult): Likely {
  const origin = origins.get(object);
  const made = application?.made.find((one) => origins.get(one.object) === origin);
  if (application === undefined || made?.locate === undefined) return { place: undefined, likely: [] };
  const { resolved, input } = application;
  const place = made.locate(path);
  const own = [...made.path, 'properties'];
  const find = findDeclared(resolved.parameters);
  const causes = application.causesOf(made, path);
  const likely = (causes === 'unknown' ? [] : causes).flatMap((leaf): TraceStep[] => {
    const isOwn = leaf.input === 'application' && own.every((step, depth) => leaf.path[depth] === step);
    const property = leaf.path[own.length];
    const isShown = (property === 'values' || property === 'version') && showsIn(leaf.value, image);
    if (!isOwn || leaf.isDefault === true || (!isShown && !isNameOf(leaf.value, place))) return [];
    const names = input.application.referencesAt?.(leaf.path) ?? [];
    const parameters = traceParameters(
      names.map((name) => [name]),
      find,
    );
    const location = resolved.locateWritten(leaf.path);
    return [{ kind: 'author', words: '', location, before: undefined, after: leaf.value, parameters }];
  });
  return { place, likely };
}

/** Whether the value is what a text is named by: its URL, or a file of the package. */
function isNameOf(value: Json, { file }: Location): boolean {
  return typeof value === 'string' && value !== '' && (file === value || file.endsWith(`/${value}`));
}

/** As a whole: `1.2` does not show in `web:1.2.3`. */
function showsIn(value: Json, image: string): boolean {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '') return false;
  for (let at = image.indexOf(text); at !== -1; at = image.indexOf(text, at + 1)) {
    const around = `${image[at - 1] ?? ''}${image[at + text.length] ?? ''}`;
    if (!/[\w.]/.test(around)) return true;
  }
  return false;
}
