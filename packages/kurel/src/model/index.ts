// takes:   nothing
// gives:   the words that all rooms share: types, and the few errors that cross rooms
// refuses: behaviour; what a room does stays in that room
export * from './budget.ts';
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
