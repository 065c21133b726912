// takes:   files, programs and the network of a build
// gives:   the same, with a record of what the build has looked at and the texts that findings point into
// refuses: clocks and stamps; a record says what was found, by content
export { isForeign, rootsOf } from './program-roots.ts';
export type { Look, Read } from './read.ts';
export { recordReads } from './record-reads.ts';
export type { ReadObserver } from './record-reads.ts';
