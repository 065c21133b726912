import type { Budget, Fetcher, FileSystem, ProgramRunner, RenderContext, Values } from '../model/index.ts';
import type { ParameterLayer } from '../parameters/index.ts';
import type { PatchFile } from '../patch/index.ts';
import type { Rendering } from '../provenance/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import type { ApplicationSource } from './application/application-renderer.ts';
import type { PackageLimits } from './package-loading.ts';

/** One thing that can be built. The table of forms has a row for each, and nothing else asks which form an input is. */
export interface Form {
  /** As `--as` names it. */
  readonly name: string;
  /** Files that mark a directory as being of this form. */
  readonly marks: readonly Mark[];
  /** Recognises a path by something else than a mark; may throw findings about what was meant. */
  readonly recognise?: ((path: string, looking: Looking) => Promise<boolean>) | undefined;
  /** The settings of a request that it uses; others are reported. */
  readonly settings: readonly SettingGroup[];
  /** How `--values` and `--set` are read: as plain values, as layers over its own, or as values of declared parameters. */
  readonly values: 'plain' | 'layered' | 'declared';
  /** Has a schema for its parameters, which `--schema` replaces, and a report of its own in `kurel validate`. */
  readonly hasParameterSchema?: boolean | undefined;
  /** Fetches what it names from other machines, without `--allow-network`. */
  readonly fetches?: boolean | undefined;
  /** Makes objects for Flux itself, whatever the layout. */
  readonly makesFluxObjects?: boolean | undefined;
  /** The layout of an output directory without `--layout`; `flat` by default. */
  readonly layout?: 'phases' | undefined;
  readonly load: () => Promise<FormModule>;
}

/** The code of a form, loaded when an input is of that form. */
export interface FormModule {
  readonly render: (request: InputRequest, context: RenderContext) => Promise<Rendering>;
}

export interface Mark {
  readonly file: string;
  /** The kind of the document in it, where the name of the file is not enough. */
  readonly kind?: string | undefined;
}

/** What recognising a path may use. */
export interface Looking {
  readonly fileSystem: FileSystem;
  readonly kind: 'file' | 'directory';
  /** Whether a file holds a document of this kind, or is meant to. */
  readonly holdsKind: (path: string, kind: string) => Promise<boolean>;
}

export type SettingGroup = 'chart' | 'kustomization' | 'network' | 'package' | 'application';

/** What is to be built. */
export interface InputRequest {
  /** A path, a pattern, or `-` for `stdin`. */
  readonly path: string;
  readonly fileSystem: FileSystem;
  readonly programs?: ProgramRunner | undefined;
  readonly stdin?: string | undefined;
  /** The name of a form; without it the path is looked at. */
  readonly as?: string | undefined;
  /** Forms to choose from; the built-in ones by default. */
  readonly forms?: readonly Form[] | undefined;
  readonly values?: Values | undefined;
  /** Every namespaced object is put here; of a chart only those that name no namespace of their own. */
  readonly namespace?: string | undefined;
  readonly chart?: ChartSettings | undefined;
  readonly kustomization?: KustomizationSettings | undefined;
  readonly allowNetwork?: boolean | undefined;
  readonly package?: PackageSettings | undefined;
  readonly application?: ApplicationSettings | undefined;
  /** The file of the Policy that holds for everything that is built. */
  readonly policy?: string | undefined;
  /** Gets what an application package names and does not hold; without it there is no network. */
  readonly fetcher?: Fetcher | undefined;
  /** Types and merge keys for the patches of packages; asked for when there are some. */
  readonly store?: (() => SchemaStore) | undefined;
  /** Warnings are errors. */
  readonly strict?: boolean | undefined;
  /** The limits of the whole run; one with the usual limits without it. */
  readonly budget?: Budget | undefined;
}

/** Of patch packages; `layers`, `limits` and `trace` are for application packages as well. */
export interface PackageSettings {
  /** The directory of the local extension, or `false` for none; defaults to the one beside the package. */
  readonly local?: string | false | undefined;
  /** Patches to enable by name. */
  readonly force?: readonly string[] | undefined;
  /** How many references one may lead through; defaults to 10. */
  readonly maxDepth?: number | undefined;
  readonly limits?: PackageLimits | undefined;
  /** Where values come from, for messages and traces; takes the place of `values`. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** Patches that are applied after the package, and may use its parameters. */
  readonly laidOver?: readonly PatchFile[] | undefined;
  readonly trace?: ((line: string) => void) | undefined;
}

/** Of application packages. */
export type ApplicationSettings = Pick<
  ApplicationSource,
  'profile' | 'definitions' | 'handlers' | 'fluxNamespace' | 'isOffline' | 'plainHttp' | 'isLocking' | 'onTaken'
>;

/** As `helm template` has them. */
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
