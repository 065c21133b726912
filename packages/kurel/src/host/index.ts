// takes:   the disk, the standard input, the programs of this machine
// gives:   a `FileSystem`, a `ProgramRunner`, texts; output files written whole or not at all
// refuses: links out of a root, devices, what is not UTF-8, shells, foreign files in an output directory
export { bundledSchemas } from './bundled-schemas.ts';
export { diskFileSystem, type DiskFileSystemOptions } from './disk-file-system.ts';
export { programRunner, type ProgramRunnerOptions } from './program-runner.ts';
export { readStdin } from './read-stdin.ts';
export { compareOutputDirectory, type OutputComparison } from './compare-output-directory.ts';
export { type OutputSummary, writeOutputDirectory } from './write-output-directory.ts';
export { writeOutputFile } from './write-output-file.ts';
export { rewriteFiles, type Rewrite, type RewriteOptions } from './rewrite-files.ts';
export { hostProblems } from './problems.ts';
