// takes:   the bytes of an archive, the files of a chart; files to archive
// gives:   the files in the archive; the parts of a chart that must not be passed to helm; an archive that depends on the files alone
// refuses: links, devices, names that point outside or differ only in case, sizes beyond the limits, schema references to other files
export {
  checkValuesSchema,
  isSubchart,
  isValuesSchema,
  largestContent,
  readArchive,
  readChartArchive,
} from './read-archive.ts';
export type { ArchiveFile } from './read-archive.ts';
export { compress, sortFiles, writeArchive, writeTar } from './write-archive.ts';
export { foldName, TarError } from './check-entry-name.ts';
export type { TarEntry } from './read-tar.ts';
