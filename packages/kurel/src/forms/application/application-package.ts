import type { SourceFile } from '../../model/index.ts';
import type { PatchFile } from '../../patch/index.ts';

/** The files of an application package, and those that the platform adds to it. */
export interface ApplicationPackage {
  /** The directory. */
  readonly path: string;
  readonly application: SourceFile;
  /** `kurel.yaml`; an application without parameters needs none. */
  readonly declaration: SourceFile | undefined;
  readonly profile: SourceFile | undefined;
  readonly policy: SourceFile | undefined;
  readonly definitions: readonly SourceFile[];
  /** `kurel.lock`: what the package takes from elsewhere, and which bytes. */
  readonly lock: SourceFile | undefined;
  /** In the order of their names. */
  readonly patches: readonly PatchFile[];
}

export interface NeededCapability {
  readonly type: string;
  /** What a profile could say, as lines of it. */
  readonly example: string;
  /** Whether all that needs it can be switched off. */
  readonly isOptional: boolean;
}
