import type { Acceptance, Acceptor } from './accept/index.ts';
import type { LayoutName, LayoutOptions, OutputFormat } from './layout/index.ts';
import type {
  AcceptedFinding,
  Diagnostic,
  Filter,
  KubeObject,
  OutputFile,
  Path,
  PostRenderer,
  SourceFile,
  Transformer,
} from './model/index.ts';
import type { ParameterLayer } from './parameters/index.ts';
import type { PatchFile, PatchOptions } from './patch/index.ts';
import type { Rendering } from './provenance/index.ts';
import type { Read } from './reads/index.ts';
import type { InputRequest } from './forms/index.ts';
import type { SchemaStore } from './schema/index.ts';

/** What to build, from where, and how. Nothing is read but what `fileSystem`, `programs` and `stdin` give. */
export interface BuildRequest extends InputRequest {
  /** Further paths; their objects come after those of `path`, and from then on they are treated alike. */
  readonly morePaths?: readonly string[] | undefined;
  /** Applied to what is rendered, before filters and transformers. */
  readonly patches?: PatchSettings | undefined;
  /** How many objects may be rendered; defaults to 1,000,000. */
  readonly maxObjects?: number | undefined;
  readonly filters?: readonly Filter[] | undefined;
  /** Asked when the filters keep none of some objects: what to do about it, for the hint. */
  readonly explainNothingLeft?: ((objects: readonly KubeObject[]) => Promise<string | undefined>) | undefined;
  /** New names, before the transformers. References between the objects follow; Namespaces and CRDs keep their names. */
  readonly names?: NameChanges | undefined;
  readonly transformers?: readonly (Transformer | NamedTransformer)[] | undefined;
  readonly postRenderers?: readonly PostRenderer[] | undefined;
  readonly order?: 'source' | 'apply' | undefined;
  /** Defaults to one stream; `sources` gives the files that were read with nothing but the changes in them. */
  readonly layout?: LayoutName | 'sources' | undefined;
  readonly layoutOptions?: LayoutOptions | undefined;
  readonly format?: OutputFormat | undefined;
  /**
   * Validates the objects before they are laid out, with CustomResourceDefinitions among them taken into account. Without it nothing
   * is validated; `kurel build` and `kurel validate` both set it.
   */
  readonly validation?: ValidationSettings | undefined;
  /** Schemas without those that the package brings itself. A policy takes scopes from them. Defaults to all schemas. */
  readonly trustedStore?: SchemaStore | undefined;
  /** Findings to accept, beyond those in the files next to what is built. */
  readonly acceptances?: readonly Acceptance[] | undefined;
  /** Takes the place of both, for callers with findings of their own, who then report what it has left unused. */
  readonly acceptor?: Acceptor | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with what the build is doing. */
  readonly progress?: ((stage: BuildStage) => void) | undefined;
}

export interface PatchSettings extends Pick<PatchOptions, 'variables' | 'store' | 'trace' | 'conflicts'> {
  readonly files: readonly PatchFile[];
  /** Where the values of the variables come from, later ones win: findings about fields point there. */
  readonly layers?: readonly ParameterLayer[] | undefined;
}

export interface NameChanges {
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  /** Appends a hash of their content to the names of ConfigMaps and Secrets, after the transformers, as kustomize does. */
  readonly contentHash?: boolean | undefined;
}

/** A transformer, and what to say of the fields that it changes. */
export interface NamedTransformer {
  /** `--label team=shop` */
  readonly words: string;
  readonly transform: Transformer;
  /** The field that it sets, even to the value that was there. */
  readonly sets?: Path | undefined;
}

/** What a build is doing. */
export interface BuildStage {
  readonly doing: 'rendering' | 'patching' | 'checking' | 'laying out';
  /** How many objects it is about; while rendering, how many there are so far. */
  readonly objects: number;
  /** How many of them are done, where that is counted. */
  readonly done?: number | undefined;
}

export interface ValidationSettings {
  readonly store: SchemaStore;
  /** `patched` reports only mistakes in fields that patches set, for callers that build a part of what runs in a cluster. */
  readonly scope?: 'all' | 'patched' | undefined;
}

export interface BuildResult {
  /** Whether there are no errors. When there are, `files` and `objects` are empty: a build gives all or nothing. */
  readonly ok: boolean;
  readonly files: readonly OutputFile[];
  readonly objects: readonly KubeObject[];
  /** The objects with their provenance and what is known about the package, as far as the build came. */
  readonly rendering: Rendering;
  /** Whether the objects were checked, whatever was found. */
  readonly isChecked: boolean;
  /** Findings that were accepted; `diagnostics` has the others. */
  readonly accepted: readonly AcceptedFinding[];
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into. */
  readonly sources: readonly SourceFile[];
  /** Everything that the build has looked at, with digests of what it found: two builds with equal requests and reads are equal. */
  readonly reads: () => Promise<readonly Read[]>;
}
