// takes:   the files of a package or of a build, an artifact of a registry
// gives:   a manifest, config and layers with digests that depend on the files alone; the verified files of a package
// refuses: artifacts of other types, parts that contradict each other, to move a tag that is not meant to
export { createPackageArtifact, createRenderedArtifact, isLeftOut } from './create-artifact.ts';
export type { Artifact, PackageConfig, PackageParts, PublishedForm } from './create-artifact.ts';
export { fetchPackage, readPackageManifest, unpackLayer } from './fetch-package.ts';
export type { FetchPackageOptions, PublishedPackage } from './fetch-package.ts';
export { pushArtifact } from './push-artifact.ts';
export { artifactProblems, registryProblem, reportRegistry, reportUnpinned } from './problems.ts';
