import type { Scope } from '../kube/index.ts';

/** The table of contents of the shipped data, as `npm run schemas` writes it. Kinds are keyed `group/version/Kind`. */
export interface Manifest {
  readonly kubernetes: KubernetesData;
  readonly projects: readonly ProjectData[];
}

export interface KubernetesData {
  readonly name: string;
  readonly file: string;
  /** Newest first, with patch. */
  readonly versions: readonly string[];
  readonly objectMeta: readonly Run[];
  readonly kinds: Readonly<Record<string, { readonly scope: Scope; readonly places: readonly Run[] }>>;
  readonly lifecycle: Readonly<Record<string, Lifecycle>>;
}

/** Newest and oldest minor version of a run of equal versions, then the lines of structure and descriptions. */
export type Run = readonly [newest: number, oldest: number, structure: number, words: number];

export interface Lifecycle {
  readonly since: string;
  readonly removedIn?: string;
  readonly replacement?: string;
}

interface ProjectData {
  readonly file: string;
  readonly parts: readonly PartData[];
}

/** The data of one release of one project. */
export interface PartData {
  readonly name: string;
  readonly version?: string;
  /** Gateway API describes the same kinds in two channels. */
  readonly channel?: GatewayChannel;
  readonly kinds: Readonly<Record<string, CustomKindData>>;
}

interface CustomKindData {
  readonly scope: Scope;
  readonly places: readonly [structure: number, words: number];
  readonly warning?: string;
}

export type GatewayChannel = 'standard' | 'experimental';
