// takes:   objects and where they came from
// gives:   output files: one stream, one file an object, or the texts that the objects came from
// refuses: two objects in one place
export { layOutFlat } from './flat.ts';
export { layOutSources } from './sources.ts';
export { layOutStream } from './stream.ts';
export { layoutProblems } from './problems.ts';
export type { Layout, LayoutInput, OutputFormat } from './layout.ts';
export type { SourcesInput } from './sources.ts';
