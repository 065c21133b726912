// takes:   disk, standard input, programs, git repositories and network of this machine
// gives:   a `FileSystem`, a `ProgramRunner`, a `Fetcher`, credentials of registries; atomic writes of output files
// refuses: links to files outside a root, devices, text other than UTF-8, shells, foreign files in an output directory, private addresses
export { bundledSchemas, diskFileSystem, type DiskFileSystemOptions } from './disk-file-system.ts';
export { readStdin } from './read-stdin.ts';
export { gitRepository, type GitRepository, type GitRepositoryOptions, type GitRevision } from './git-repository.ts';
export { explainConnection } from './explain-connection.ts';
export { networkFetcher, type NetworkFetcherOptions } from './network-fetcher.ts';
export { programRunner, type ProgramRunnerOptions } from './program-runner.ts';
export { removeLogin, registryCredentials, storeLogin, type CredentialPlace } from './registry-credentials.ts';
export type { RegistryConfigOptions } from './registry-credentials.ts';
export type { EarlierBuild, OutputClaim } from './claim-output.ts';
export { digestOf, inventoryName } from './output-inventory.ts';
export { findOutputPlace, type OutputPlace, compareOutputDirectory, type OutputComparison } from './plan-output.ts';
export {
  findOutsideRoots,
  findRepository,
  openOutputRoots,
  type OutputRoots,
  type OutsideRoots,
} from './output-roots.ts';
export { isWithin, realPathOf, toSlashes } from './relative-path.ts';
export { type OutputSummary, writeOutputDirectory, removeOutput } from './write-output-directory.ts';
export { writeOutputFile } from './write-output-file.ts';
export { updateFiles, type FileUpdate, type FileUpdateSummary } from './update-files.ts';
export { rewriteFiles, type Rewrite, type RewriteOptions } from './replace-files.ts';
export { createReadRecord, type ReadChange, type ReadRecord, type ReadRecordOptions } from './read-record.ts';
export { type ReadWatch, type ReadWatchOptions, watchReads } from './watch-reads.ts';
export { hostProblems, type OutputOwner } from './problems.ts';
export { KeyError, readPublicKey, readSigningKey } from './read-key.ts';
