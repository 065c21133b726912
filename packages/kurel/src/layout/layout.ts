import type { KubeObject, OriginTable, OutputFile, Report } from '../model/index.ts';

export type OutputFormat = 'yaml' | 'json';

export interface LayoutInput {
  readonly objects: readonly KubeObject[];
  readonly origins: OriginTable;
  readonly format: OutputFormat;
  readonly report: Report;
  /** What the objects are together: the name of the package. Labels and Flux objects are called after it. */
  readonly name?: string | undefined;
  readonly options?: LayoutOptions | undefined;
  /** Characters of all objects that have been written. */
  readonly written?: { length: number } | undefined;
}

export interface LayoutOptions {
  /** Puts the objects of earlier phases first where the layout has no directory for each phase. */
  readonly phased?: boolean | undefined;
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
