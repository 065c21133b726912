import type { PublishedForm } from '../artifact/index.ts';
import type {
  Budget,
  Fetcher,
  FileSystem,
  Json,
  JsonObject,
  ProgramRunner,
  RenderContext,
  Report,
  Values,
} from '../model/index.ts';
import type { ParameterLayer } from '../parameters/index.ts';
import type { PatchFile } from '../patch/index.ts';
import type { Rendering } from '../provenance/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import type { ApplicationSource } from './application/load-and-render.ts';
import type { PackageRequest } from './package-loading.ts';
import type { SchemaSettings } from './patch-package/check-package.ts';
import type { PatchPlan } from './patch-package/patch-package.ts';

/** A kind of input that kurel can build. Each is a row in the table of forms. */
export interface Form {
  /** Value of `--as`. */
  readonly name: string;
  /** Files that mark a directory as this form. */
  readonly marks: readonly Mark[];
  /** Detects a path without a mark; may throw findings about likely mistakes. */
  readonly recognise?: ((path: string, looking: Looking) => Promise<boolean>) | undefined;
  /** Settings that the form uses; others are reported. */
  readonly settings: readonly SettingGroup[];
  /** How `--values` and `--set` are read: as plain values, as layers over its own, or as values of declared parameters. */
  readonly values: 'plain' | 'layered' | 'declared';
  /** Whether parameters have a schema, which `--schema` replaces, and `kurel validate` a separate report. */
  readonly hasParameterSchema?: boolean | undefined;
  /** Whether it fetches remote sources without `--allow-network`. */
  readonly fetches?: boolean | undefined;
  /** Whether it creates Flux objects regardless of the layout. */
  readonly makesFluxObjects?: boolean | undefined;
  /** Whether its files hold the objects as they are: values have no effect on them, and `kurel patch` changes them in place. */
  readonly holdsObjects?: boolean | undefined;
  /** Default for `--layout`; otherwise `flat`. */
  readonly layout?: 'phases' | undefined;
  /** Of forms that are packages: how they are described and published. */
  readonly package?: PackageForm | undefined;
  /** The command of another program that publishes it: `helm push`. */
  readonly publishedWith?: string | undefined;
  readonly load: () => Promise<FormModule>;
}

/** Code of a form, loaded on demand. */
export interface FormModule {
  readonly render: (request: InputRequest, context: RenderContext) => Promise<Rendering>;
  /**
   * Of forms whose values are layers over their own: those, unresolved, for values that change an item of a list. `undefined` if they
   * cannot be read, which rendering reports.
   */
  readonly readOwnValues?: (request: OwnValuesRequest) => Promise<Values | undefined>;
}

export type OwnValuesRequest = Pick<InputRequest, 'path' | 'fileSystem' | 'package'>;

/** What makes a form a package: it can be described without a build, and kept in a registry. */
export interface PackageForm extends Omit<PublishedForm, 'name'> {
  /** How the names of its directories end: `.kurel`. */
  readonly ending?: string | undefined;
  /** Loaded on demand: builds describe nothing. */
  readonly load: () => Promise<PackageModule>;
  /** What `kurel init` creates. */
  readonly loadTemplate?: (() => Promise<{ readonly template: PackageTemplate }>) | undefined;
}

/** A small working package, as an example. */
export interface PackageTemplate {
  /** Texts by path, each after an empty line; `NAME` is the name of the package. */
  readonly files: Readonly<Record<string, string>>;
  /** Flags that `kurel validate` needs for it; `PATH` is its directory. */
  readonly flags?: string | undefined;
}

export interface PackageModule {
  /** Reads a package without building it; `undefined` if that is not possible. All problems are reported. */
  readonly describe: (request: DescriptionRequest, report: Report) => Promise<PackageDescription | undefined>;
}

export interface DescriptionRequest extends Pick<
  InputRequest,
  'path' | 'fileSystem' | 'values' | 'package' | 'application' | 'store'
> {
  /** Checks all documents of the package, also those that only some builds read. */
  readonly isToBePublished?: boolean | undefined;
  /** Receives the values of parameters that end up in a Secret, which findings must not show, also without a description. */
  readonly onSecrets?: ((list: () => readonly string[]) => void) | undefined;
  /** Of a package in a registry, of which only the documents have been fetched. */
  readonly published?: PublishedParts | undefined;
}

export interface PublishedParts {
  /** Paths of all files. */
  readonly files: readonly string[];
  /** The schema of its values; `undefined` if it is not JSON. */
  readonly fetchSchema: () => Promise<Json | undefined>;
}

/** A package, as far as that is possible without a build. */
export interface PackageDescription {
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  /** Further annotations for a registry. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** What `--set` can set. */
  readonly listParameters: () => readonly DescribedParameter[];
  /** Enabled and disabled patches, if patches can be disabled. */
  readonly plan?: PatchPlan | undefined;
  /** The JSON Schema of its values. */
  readonly createSchema: (report: Report) => JsonObject;
  /** What `kurel info` prints; `undefined` after an error, which is reported. */
  readonly createInfo: () => Promise<PackageInfo | undefined>;
}

export interface DescribedParameter {
  /** As `--set` reads it. */
  readonly name: string;
  readonly type: string;
  readonly required?: boolean | undefined;
  readonly default?: Json | undefined;
  readonly description?: string | undefined;
}

/** For other programs, and for people: lines that begin with `Label: `, or are below one. */
export interface PackageInfo {
  readonly data: () => JsonObject;
  /** `all` prints long values in full. */
  readonly lines: (all: boolean) => readonly string[];
}

export interface Mark {
  readonly file: string;
  /** Kind of the document in the file, if the file name is not enough. */
  readonly kind?: string | undefined;
}

/** Context for detecting a form. */
export interface Looking {
  readonly fileSystem: FileSystem;
  readonly kind: 'file' | 'directory';
  /** Whether a file contains a document of this kind, even with errors. */
  readonly holdsKind: (path: string, kind: string) => Promise<boolean>;
}

export type SettingGroup = 'chart' | 'kustomization' | 'network' | 'package' | 'application';

/** The input of a build. */
export interface InputRequest {
  /** A path, a pattern, or `-` for `stdin`. */
  readonly path: string;
  readonly fileSystem: FileSystem;
  readonly programs?: ProgramRunner | undefined;
  readonly stdin?: string | undefined;
  /** Name of a form; defaults to detection by path. */
  readonly as?: string | undefined;
  /** Forms to choose from; defaults to the built-in ones. */
  readonly forms?: readonly Form[] | undefined;
  readonly values?: Values | undefined;
  /** Namespace of every namespaced object; for a chart, of objects that do not set their own. */
  readonly namespace?: string | undefined;
  readonly chart?: ChartSettings | undefined;
  readonly kustomization?: KustomizationSettings | undefined;
  readonly allowNetwork?: boolean | undefined;
  readonly package?: PackageSettings | undefined;
  readonly application?: ApplicationSettings | undefined;
  /** File of the Policy that applies to the whole build. */
  readonly policy?: string | undefined;
  /** Fetches remote sources of an application package; without it there is no network access. */
  readonly fetcher?: Fetcher | undefined;
  /**
   * Validates the parameters and the objects, including the CustomResourceDefinitions among them. Without it nothing is validated;
   * `kurel build` and `kurel validate` both set it.
   */
  readonly validation?: ValidationSettings | undefined;
  /** Types and merge keys for patches; called on demand. */
  readonly store?: (() => SchemaStore) | undefined;
  /** Limits of the whole run. Defaults to a budget with the usual limits. */
  readonly budget?: Budget | undefined;
  /** Called from time to time with the current stage. */
  readonly progress?: ((stage: BuildStage) => void) | undefined;
}

export interface ValidationSettings {
  readonly store: SchemaStore;
  /** `patched` reports only mistakes in fields that patches set, for callers that build a part of what runs in a cluster. */
  readonly scope?: 'all' | 'patched' | undefined;
}

/** The current stage of a build. */
export type BuildStage =
  | {
      readonly doing: 'rendering' | 'patching' | 'checking' | 'laying out';
      /** The number of objects; while rendering, the number so far. */
      readonly objects: number;
      /** How many of them are done, if that is counted. */
      readonly done?: number | undefined;
    }
  | {
      readonly doing: 'fetching';
      /** The number of remote sources. */
      readonly sources: number;
      /** How many of them have been fetched, have failed, or were in the package. */
      readonly done: number;
    };

/** Settings of patch packages; `layers`, `limits` and `trace` also apply to application packages. */
export interface PackageSettings extends Pick<PackageRequest, 'local' | 'limits'> {
  /** Patches to enable by name. */
  readonly force?: readonly string[] | undefined;
  /** Maximum chain of references. Defaults to 10. */
  readonly maxDepth?: number | undefined;
  /** `--values` and `--set` with their sources, later ones win, for messages and traces; replaces `values`. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** Where the schema of the parameters comes from, if they are validated. */
  readonly schema?: SchemaSettings | undefined;
  /** The patches of `--patch`, which are applied to all inputs together and may use parameters of the package. */
  readonly outerPatches?: readonly PatchFile[] | undefined;
  readonly trace?: ((line: string) => void) | undefined;
}

/** Settings of application packages. */
export type ApplicationSettings = Pick<
  ApplicationSource,
  | 'profile'
  | 'definitions'
  | 'handlers'
  | 'fluxNamespace'
  | 'isOffline'
  | 'credentialsFor'
  | 'plainHttp'
  | 'isLocking'
  | 'onTaken'
>;

/** Settings of `helm template`. */
export interface ChartSettings {
  /** Defaults to `release-name`, as with `helm template`. */
  readonly releaseName?: string | undefined;
  readonly includeCrds?: boolean | undefined;
  readonly skipTests?: boolean | undefined;
  readonly kubeVersion?: string | undefined;
  readonly apiVersions?: readonly string[] | undefined;
}

export interface KustomizationSettings {
  readonly loadRestrictions?: 'root' | 'none' | undefined;
}
