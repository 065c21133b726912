// takes:   objects and where they came from
// gives:   output files: one stream, or one file an object
// refuses: two objects in one place
export { layOutFlat } from './flat.ts';
export { layOutStream } from './stream.ts';
export { layoutProblems } from './problems.ts';
export type { Layout, LayoutInput, OutputFormat } from './layout.ts';
