import type { Report, SourceFile } from '../../model/index.ts';
import { formatSections } from '../kpatch/format-sections.ts';
import { detectPatchFormat, readPatchFile } from './read-patch-file.ts';

/**
 * Formats a .kpatch file; `undefined` if it has errors, which are reported. YAML is left unchanged because its layout is up to
 * the author, as in a manifest.
 */
export function formatKpatch({ path, text }: SourceFile, report: Report): string | undefined {
  // Standard input has no name and is formatted as a .kpatch file.
  const isNamed = path.toLowerCase().endsWith('.kpatch');
  if (detectPatchFormat({ path: isNamed ? path : `${path}.kpatch`, text }) === 'kpatch') {
    return formatSections({ path, text }, report);
  }
  let failed = false;
  readPatchFile({ path, text }, (diagnostic) => {
    if (diagnostic.severity !== 'error') return;
    failed = true;
    report(diagnostic);
  });
  return failed ? undefined : text;
}
