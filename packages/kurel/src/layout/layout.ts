import { describeObject } from '../kube/index.ts';
import { isJsonArray } from '../model/index.ts';
import type { KubeObject, OriginTable, OutputFile, Report } from '../model/index.ts';
import type { KustomizationPart } from '../provenance/index.ts';
import { layoutProblems } from './problems.ts';

export type OutputFormat = 'yaml' | 'json';

export interface LayoutInput {
  readonly objects: readonly KubeObject[];
  /** Objects that filters dropped, after patches. */
  readonly dropped?: readonly KubeObject[] | undefined;
  /** The objects are part of what a cluster already has. */
  readonly isPart?: boolean | undefined;
  readonly origins: OriginTable;
  readonly format: OutputFormat;
  readonly report: Report;
  /** Name of the package, used in labels, and for Flux objects without an instance. */
  readonly name?: string | undefined;
  /** For `flux`: settings of its Kustomizations. */
  readonly kustomizationParts?: readonly KustomizationPart[] | undefined;
  readonly options?: LayoutOptions | undefined;
  /** Output directory, for layouts with one tree per instance. */
  readonly place?: TreePlace | undefined;
  /** Characters of all objects written so far. */
  readonly written?: { length: number } | undefined;
}

/** Location of an instance's tree in the output directory. */
export interface TreePlace {
  /** Empty for the output directory itself. */
  readonly directory: string;
  /** Files of an earlier build that are kept, as paths in the tree. */
  readonly kept: readonly string[];
}

export interface LayoutOptions {
  /** Distinguishes several builds of a package, such as for two environments. Flux objects are named after it. */
  readonly instance?: string | undefined;
  /** For `phases`, `flux` and `argocd`: finds the tree of an instance. Defaults to the whole output. */
  readonly placeOf?: ((instance: string | undefined) => TreePlace) | undefined;
  /** Puts objects of earlier phases first in layouts without phase directories. */
  readonly phased?: boolean | undefined;
  /** Puts the objects of each phase in apply order. */
  readonly inApplyOrder?: boolean | undefined;
  /** Adds Argo CD sync waves; the `argocd` layout always does. */
  readonly syncWaves?: boolean | undefined;
  /** For `flat`: numbers the files in object order. */
  readonly index?: boolean | undefined;
  /** For `flux`: namespace of the Flux objects. Defaults to `flux-system`. */
  readonly fluxNamespace?: string | undefined;
  /** How often Flux reconciles. Defaults to `10m`. */
  readonly fluxInterval?: string | undefined;
  /** Path of the output in the Flux source. Defaults to its root. */
  readonly fluxPath?: string | undefined;
  /** `KIND/NAME[.NAMESPACE]`. Defaults to the GitRepository with the name of the package. */
  readonly fluxSource?: string | undefined;
  /** `sops/SECRET`, or `sops` if the controller has the keys: how Flux decrypts. Defaults to no decryption. */
  readonly fluxDecryption?: string | undefined;
}

export type Layout = (input: LayoutInput) => readonly OutputFile[];

/** Identifies this build among others in the same output: the instance, or the package by default. */
export function instanceOf({ name, options }: LayoutInput): string | undefined {
  return options?.instance ?? name;
}

export function moveInto(directory: string, files: readonly OutputFile[]): readonly OutputFile[] {
  return files.map(({ path, ...file }) => ({ path: `${directory}/${path}`, ...file }));
}

/**
 * Tools that apply manifests treat any object with a list `items` as a List, and apply only the items. These would bypass every
 * check of the object, so it is rejected wherever `items` comes from.
 */
export function refuseHiddenItems({ objects, report }: Pick<LayoutInput, 'objects' | 'report'>): void {
  for (const object of objects) {
    if (!isJsonArray(object['items'] ?? null)) continue;
    const subject = { object, path: ['items'], at: 'key' as const };
    report(layoutProblems.create('object-read-as-list', { object: describeObject(object) }, { subject }));
  }
}
