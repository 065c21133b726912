import type { Diagnostic, Json, KubeObject, Location, Path, SourceFile, Values } from '../../model/index.ts';
import type { ParameterLayer, WrittenAt } from '../../parameters/index.ts';
import type { Change, PatchFile } from '../../patch/index.ts';
import type { Facts } from '../../provenance/index.ts';

/** A patch package as read, with its local extension and unresolved parameters. */
export interface PatchPackage {
  /** The directory, as the user wrote it. */
  readonly path: string;
  readonly metadata: PackageMetadata;
  /** `parameters.yaml` of the package, then that of the local extension. */
  readonly layers: readonly ParameterLayer[];
  /** Files in `resources/`, sorted by path. */
  readonly resources: readonly SourceFile[];
  /** Sorted by identity; those of the package, then those of the local extension. */
  readonly patches: readonly PackagePatch[];
  /** CustomResourceDefinitions in `schemas/crds/`. */
  readonly definitions: readonly SourceFile[];
  /** `schemas/parameters.overrides.yaml` or `.json`. */
  readonly schemaOverrides?: SourceFile | undefined;
  readonly localPath?: string | undefined;
}

export interface PackageMetadata {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  readonly description?: string | undefined;
  readonly home?: string | undefined;
  readonly keywords: readonly string[];
  readonly maintainers: readonly { readonly name: string; readonly email?: string | undefined }[];
}

export interface PackagePatch {
  /** Path relative to `patches/`: `features/10-monitoring.kpatch`. */
  readonly id: string;
  readonly owner: 'package' | 'local';
  readonly file: PatchFile;
  readonly sidecar?: Sidecar | undefined;
}

/** Content of the metadata file of a patch. */
export interface Sidecar {
  readonly source: SourceFile;
  /** A boolean, or a string with one reference; without it the patch is always enabled. */
  readonly enabled?: Json | undefined;
  readonly description?: string | undefined;
  readonly requires: readonly PatchReference[];
  readonly conflicts: readonly PatchReference[];
}

export interface PatchReference {
  /** With `.kpatch` and without `patches/`, regardless of how it was written. */
  readonly id: string;
  readonly location: Location;
}

/** Enabled and disabled patches, with reasons. */
export interface PatchPlan {
  /** In apply order: those of the package, then those of the local extension. */
  readonly enabled: readonly EnabledPatch[];
  /** Sorted by identity. */
  readonly disabled: readonly DisabledPatch[];
}

export interface EnabledPatch {
  readonly patch: PackagePatch;
  readonly reason:
    | { readonly type: 'always' }
    /** `variable` is the parameter, as written: `monitoring.enabled`; absent if `enabled` is a literal `true`. */
    | { readonly type: 'condition'; readonly variable: string | undefined }
    | { readonly type: 'required'; readonly by: PackagePatch }
    /** By name, on the command line. */
    | { readonly type: 'forced' };
  /** Another enabled patch that conflicts with this one, which is reported as an error. */
  readonly conflict?: PackagePatch | undefined;
}

export interface DisabledPatch {
  readonly patch: PackagePatch;
  readonly variable: string | undefined;
}

export interface PackageParameters {
  /** Package, local, each `--values`, each `--set`. Later layers win. */
  readonly layers: readonly ParameterLayer[];
  /** Merged values with unresolved references. */
  readonly merged: Values;
  /** Merged values with resolved references. */
  readonly values: Values;
  /** Names of all parameters, also of those without a value, which an override of `null` has removed. */
  readonly names: ReadonlySet<string>;
  /** How numbers and booleans in them were written. */
  readonly writtenAt: WrittenAt;
}

/** A reference in `resources/` that was replaced by the value of a parameter. */
export interface ResourceReference {
  /** Its object in `base`. */
  readonly object: KubeObject;
  /** Path of the value in the object. */
  readonly path: Path;
  /** The parameter: `image.tag`. */
  readonly parameter: string;
}

/** A package as far as it could be read, and the findings of each step. */
export interface ExaminedPackage {
  readonly package?: PatchPackage | undefined;
  readonly parameters?: PackageParameters | undefined;
  readonly plan?: PatchPlan | undefined;
  /** The plan without patches that conflict with others, to check the rest; absent if another patch requires one of them. */
  readonly applicable?: PatchPlan | undefined;
  readonly found: Readonly<Record<ExaminationStep, readonly Diagnostic[]>>;
}

export type ExaminationStep = 'load' | 'parameters' | 'plan';

/** All results of rendering a package. */
export interface PackageRendering {
  readonly package: PatchPackage;
  readonly parameters: PackageParameters;
  /** Without patches that conflict with others. */
  readonly plan: PatchPlan;
  /** Objects of `resources/` with parameters filled in, before patches. */
  readonly base: readonly KubeObject[];
  readonly references: readonly ResourceReference[];
  /** `index` is the position in `base`, followed by `generated`. */
  readonly changes: readonly Change[];
  /** After patches and `global.namespaces`. */
  readonly objects: readonly KubeObject[];
  /** Namespaces that `global.namespaces.create` added, before patches. */
  readonly generated: readonly KubeObject[];
  /** Namespaces that the package does not create (`global.namespaces.exclude`). */
  readonly excluded: readonly string[];
}

/** Facts about a patch package, also if it could not be rendered: `kurel validate` prints its report from them. */
export interface PackageFacts extends Facts {
  readonly examined: AppliedPackage;
}

export interface AppliedPackage extends ExaminedPackage {
  /** Patches that were applied, so that all mistakes in their variables are reported. */
  readonly applied: readonly PackagePatch[];
  /** Parameters that do not match their schema; `undefined` if they were not checked. */
  readonly refused?: readonly Path[] | undefined;
}

/** The patch package of a rendering; `undefined` for other forms, and if the build failed before it was read. */
export function examinedPackageOf(facts: Facts): AppliedPackage | undefined {
  return (facts as Partial<PackageFacts>).examined;
}
