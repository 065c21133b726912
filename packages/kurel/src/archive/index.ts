// takes:   the bytes of a chart archive, the files of a chart
// gives:   the files in the archive; the parts of a chart that must not be passed to helm
// refuses: links, devices, names that point outside or differ only in case, sizes beyond the limits, schema references to other files
export { type ArchiveLimits, isSubchart, readChartArchive } from './read-chart-archive.ts';
export { checkValuesSchema, isValuesSchema } from './check-values-schema.ts';
export { foldName } from './fold-name.ts';
export { TarError } from './tar-error.ts';
export type { TarEntry } from './read-tar.ts';
