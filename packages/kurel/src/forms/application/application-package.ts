import type { SourceFile } from '../../model/index.ts';
import type { PatchFile } from '../../patch/index.ts';

/** The files of an application package, and the files the platform provides for it. */
export interface ApplicationPackage {
  /** The directory. */
  readonly path: string;
  readonly application: SourceFile;
  /** `kurel.yaml`; optional for an application without parameters. */
  readonly declaration: SourceFile | undefined;
  readonly profile: SourceFile | undefined;
  readonly policy: SourceFile | undefined;
  readonly definitions: readonly SourceFile[];
  /** `kurel.lock`: the remote sources of the package and their checksums. */
  readonly lock: SourceFile | undefined;
  /** Sorted by name. */
  readonly patches: readonly PatchFile[];
}

export interface NeededCapability {
  readonly type: string;
  /** Lines of a profile that would provide it. */
  readonly example: string;
  /** Whether everything that requires it can be disabled. */
  readonly isOptional: boolean;
}
