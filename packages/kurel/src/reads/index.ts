// takes:   files, programs and the network of a build
// gives:   the same, with a record of everything that the build read and the texts that findings point into
// refuses: clocks and timestamps; a record identifies what was read by content
export { ifReadable } from './if-readable.ts';
export { keepReads } from './keep-reads.ts';
export type { KeptFiles } from './keep-reads.ts';
export { filesOf, findVersion, isForeign, readNear, recordReads, rootsOf } from './record-reads.ts';
export type { Look, Read, ReadObserver } from './record-reads.ts';
