// takes:   the bytes of a chart archive, the files of a chart
// gives:   the files in the archive; what in a chart is not given to helm
// refuses: links, devices, names that lead out or differ only in case, sizes beyond the limits, references of schemas to other files
export { type ArchiveLimits, isSubchart, readChartArchive } from './read-chart-archive.ts';
export { checkValuesSchema, isValuesSchema } from './check-values-schema.ts';
export { foldName } from './fold-name.ts';
export { TarError } from './tar-error.ts';
export type { TarEntry } from './read-tar.ts';
