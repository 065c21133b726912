import type { Facts } from '../../provenance/index.ts';
import type { ExaminedPackage, PackagePatch } from './patch-package.ts';

/** Facts about a patch package, also if it could not be rendered: `kurel validate` prints its report from them. */
export interface PackageFacts extends Facts {
  readonly examined: AppliedPackage;
}

export interface AppliedPackage extends ExaminedPackage {
  /** Patches that were applied, so that all mistakes in their variables are reported. */
  readonly applied: readonly PackagePatch[];
}

/** The patch package of a rendering; `undefined` for other forms, and if the build failed before it was read. */
export function examinedPackageOf(facts: Facts): AppliedPackage | undefined {
  return (facts as Partial<PackageFacts>).examined;
}
