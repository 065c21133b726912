// takes:   objects and where they came from
// gives:   output files: one stream, one file an object or a kind, a directory a phase, or the texts that the objects came from
// refuses: two objects in one place, what the reader of a layout would refuse
export { addSyncWaves, checkPhases, orderByPhase } from './phase.ts';
export { layOutFlat } from './one-file-each.ts';
export { layOutSources } from './sources.ts';
export { layOutStream } from './stream.ts';
export { layouts, type LayoutName } from './layouts.ts';
export { layoutProblems } from './problems.ts';
export type { Layout, LayoutInput, LayoutOptions, OutputFormat, TreePlace } from './layout.ts';
export type { SourcesInput } from './sources.ts';
