import type { Report, SourceFile } from '../../model/index.ts';
import type { PatchFile } from '../patch.ts';
import { readKpatch } from './read-kpatch.ts';

/** Reads a .kpatch file. Lines with problems give no patches; all problems are reported, in the order of the file. */
export function parseKpatch(source: SourceFile, report: Report): PatchFile {
  const { patches, problems } = readKpatch(source);
  for (const problem of problems) report(problem);
  return { source, format: 'kpatch', patches };
}
