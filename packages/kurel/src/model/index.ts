// takes:   nothing
// gives:   the types that all modules share, JSON and path functions, and the few errors that cross modules
// refuses: behaviour; each module keeps its own
export * from './budget.ts';
export * from './file-system.ts';
export * from './fetch.ts';
export * from './json.ts';
export * from './read-json.ts';
export * from './source.ts';
export * from './diagnostic.ts';
export * from './message.ts';
export * from './pipeline.ts';
export * from './program.ts';
export * from './tree-edits.ts';
