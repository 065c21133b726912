// takes:   nothing
// gives:   the types that all modules share, JSON and path functions, and the few errors that cross modules
// refuses: behaviour; each module keeps its own
export * from './budget.ts';
export * from './device-name.ts';
export * from './fetch.ts';
export * from './json.ts';
export * from './kube-object.ts';
export * from './memory.ts';
export * from './source.ts';
export * from './diagnostic.ts';
export * from './pipeline.ts';
export * from './file-system.ts';
export * from './program.ts';
export * from './output.ts';
