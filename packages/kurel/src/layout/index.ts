// takes:   objects and their origins
// gives:   output files: one stream, one file per object or kind, one directory per phase, or the original texts
// refuses: two objects in one file, and anything that the consumer of a layout would reject
export { addSyncWaves, checkPhases, orderByPhase } from './phases.ts';
export { layOutFlat } from './one-file-each.ts';
export { layOutSources } from './sources.ts';
export { layOutStream } from './stream.ts';
export { emptyRoot, layouts, type LayoutName } from './layouts.ts';
export { layoutProblems } from './problems.ts';
export type { Layout, LayoutInput, LayoutOptions, OutputFormat, TreePlace } from './layout.ts';
export type { SourcesInput } from './sources.ts';
