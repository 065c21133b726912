import type { Json, KubeObject, Location, Path, SourceFile, Values } from '../../model/index.ts';
import type { ParameterLayer, WrittenAt } from '../../parameters/index.ts';
import type { Change, PatchFile } from '../../patch/index.ts';

/** A patch package as it was read, with its local extension; nothing is resolved yet. */
export interface PatchPackage {
  /** The directory, as the user wrote it. */
  readonly path: string;
  readonly metadata: PackageMetadata;
  /** `parameters.yaml` of the package, then that of the local extension. */
  readonly layers: readonly ParameterLayer[];
  /** Files below `resources/`, in the order of their paths. */
  readonly resources: readonly SourceFile[];
  /** In the order of their identities; those of the package, then those of the local extension. */
  readonly patches: readonly PackagePatch[];
  /** CustomResourceDefinitions below `schemas/crds/`. */
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
  /** The path below `patches/`: `features/10-monitoring.kpatch`. */
  readonly id: string;
  readonly owner: 'package' | 'local';
  readonly file: PatchFile;
  readonly sidecar?: Sidecar | undefined;
}

/** What the file beside a patch says about it. */
export interface Sidecar {
  readonly source: SourceFile;
  /** A boolean, or a text with one reference; absent is always on. */
  readonly enabled?: Json | undefined;
  readonly description?: string | undefined;
  readonly requires: readonly PatchReference[];
  readonly conflicts: readonly PatchReference[];
}

export interface PatchReference {
  /** With `.kpatch` and without `patches/`, however it was written. */
  readonly id: string;
  readonly location: Location;
}

/** Which patches are applied, and why. */
export interface PatchPlan {
  /** In the order of application: those of the package, then those of the local extension. */
  readonly enabled: readonly EnabledPatch[];
  /** In the order of their identities. */
  readonly disabled: readonly DisabledPatch[];
}

export interface EnabledPatch {
  readonly patch: PackagePatch;
  readonly reason:
    | { readonly type: 'always' }
    /** `variable` as the sidecar has it, `monitoring.enabled`; absent when `enabled` is a plain `true`. */
    | { readonly type: 'condition'; readonly variable: string | undefined }
    | { readonly type: 'required'; readonly by: PackagePatch }
    /** By name, on the command line. */
    | { readonly type: 'forced' };
  /** Another enabled patch that cannot be enabled together with this one; an error says so. */
  readonly conflict?: PackagePatch | undefined;
}

export interface DisabledPatch {
  readonly patch: PackagePatch;
  readonly variable: string | undefined;
}

export interface PackageParameters {
  /** Package, local, each `--values`, each `--set`. Later ones win. */
  readonly layers: readonly ParameterLayer[];
  /** Merged, with the references still in them. */
  readonly merged: Values;
  /** With all references replaced. */
  readonly values: Values;
  /** How numbers and booleans among them were written. */
  readonly writtenAt: WrittenAt;
}

/** A reference in a file below `resources/` that was replaced by a parameter's value. */
export interface ResourceReference {
  /** The object it is in, as it is in `base`. */
  readonly object: KubeObject;
  /** Of the value in the object. */
  readonly path: Path;
  /** The parameter: `image.tag`. */
  readonly parameter: string;
}

/** Everything that a build of a package has found out. */
export interface PackageRendering {
  readonly package: PatchPackage;
  readonly parameters: PackageParameters;
  readonly plan: PatchPlan;
  /** The objects of `resources/` with the parameters in them, before patches. */
  readonly base: readonly KubeObject[];
  readonly references: readonly ResourceReference[];
  /** `index` is the position in `base`, and then in `generated`. */
  readonly changes: readonly Change[];
  /** Patched, with namespaces made and dropped as `global.namespaces` says. */
  readonly objects: readonly KubeObject[];
  /** Namespaces that `global.namespaces.create` made, in no file, before patches. */
  readonly generated: readonly KubeObject[];
  /** Namespaces that the package leaves to somebody else (`global.namespaces.exclude`). */
  readonly excluded: readonly string[];
}
