// For builds that print: what reads files and runs programs, without what writes directories, fetches and watches.
export { bundledSchemas } from './bundled-schemas.ts';
export { diskFileSystem } from './disk-file-system.ts';
export { programRunner } from './program-runner.ts';
export { readStdin } from './read-stdin.ts';
export { hostProblems } from './problems.ts';
