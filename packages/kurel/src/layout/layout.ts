import { describeObject } from '../kube/index.ts';
import { isJsonArray } from '../model/index.ts';
import type { KubeObject, OriginTable, OutputFile, Report } from '../model/index.ts';
import type { KustomizationPart } from '../provenance/index.ts';
import { layoutProblems } from './problems.ts';

export type OutputFormat = 'yaml' | 'json';

export interface LayoutInput {
  readonly objects: readonly KubeObject[];
  /** What filters dropped, as patches left it. */
  readonly dropped?: readonly KubeObject[] | undefined;
  readonly origins: OriginTable;
  readonly format: OutputFormat;
  readonly report: Report;
  /** What the objects are together: the name of the package. Labels have it, and Flux objects unless there is an instance. */
  readonly name?: string | undefined;
  /** Of `flux`: what its Kustomizations do with the objects. */
  readonly kustomizationParts?: readonly KustomizationPart[] | undefined;
  readonly options?: LayoutOptions | undefined;
  /** Where the files go, for layouts with one tree for each instance. */
  readonly place?: TreePlace | undefined;
  /** Characters of all objects that have been written. */
  readonly written?: { length: number } | undefined;
}

/** Where the tree of an instance is in an output directory. */
export interface TreePlace {
  /** Empty for the output directory itself. */
  readonly directory: string;
  /** Files of an earlier build that stay, as paths in the tree. */
  readonly kept: readonly string[];
}

export interface LayoutOptions {
  /** Tells apart what is built more than once, such as a package for two environments. Flux objects are called after it. */
  readonly instance?: string | undefined;
  /** Of `phases`, `flux` and `argocd`: finds the place of an instance, or of what has no name. The whole output by default. */
  readonly placeOf?: ((instance: string | undefined) => TreePlace) | undefined;
  /** Puts the objects of earlier phases first where the layout has no directory for each phase. */
  readonly phased?: boolean | undefined;
  /** In each phase, puts the objects in the order in which their kinds should be applied. */
  readonly inApplyOrder?: boolean | undefined;
  /** Tells Argo CD the phase of each object; the `argocd` layout always does. */
  readonly syncWaves?: boolean | undefined;
  /** Of `flat`: numbers the files in the order of the objects. */
  readonly index?: boolean | undefined;
  /** Of `flux`: where the Flux objects live; `flux-system` unless said. */
  readonly fluxNamespace?: string | undefined;
  /** How often Flux looks for changes; `10m` unless said. */
  readonly fluxInterval?: string | undefined;
  /** Where the output lies in the source that Flux reads; its root unless said. */
  readonly fluxPath?: string | undefined;
  /** `KIND/NAME[.NAMESPACE]`; the GitRepository with the name of the package unless said. */
  readonly fluxSource?: string | undefined;
}

export type Layout = (input: LayoutInput) => readonly OutputFile[];

/** What tells this build apart from others in the same output: the instance or, by default, the package. */
export function instanceOf({ name, options }: LayoutInput): string | undefined {
  return options?.instance ?? name;
}

export function moveInto(directory: string, files: readonly OutputFile[]): readonly OutputFile[] {
  return files.map(({ path, text, isPartial }) => ({ path: `${directory}/${path}`, text, isPartial }));
}

/**
 * The tools that apply manifests take whatever has a list `items` for a List, whatever its kind, and apply the items alone. Those
 * would pass every check of their container, so the object is refused, wherever `items` came from.
 */
export function refuseHiddenItems({ objects, report }: Pick<LayoutInput, 'objects' | 'report'>): void {
  for (const object of objects) {
    if (!isJsonArray(object['items'] ?? null)) continue;
    const subject = { object, path: ['items'], at: 'key' as const };
    report(layoutProblems.create('object-read-as-list', { object: describeObject(object) }, { subject }));
  }
}
