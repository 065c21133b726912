import type { Budget, Report, SourceFile } from '../../model/index.ts';
import { parseKpatch } from '../kpatch/parse-kpatch.ts';
import type { PatchFile } from '../patch.ts';
import { detectPatchFormat, findFirstLine } from './detect-format.ts';
import { yamlPatchProblems } from './problems.ts';
import { readYamlPatch } from './read-yaml-patch.ts';

/** Reads a patch file in whichever format it is; an empty one has no patches. */
export function readPatchFile(source: SourceFile, report: Report, budget?: Budget): PatchFile {
  const format = detectPatchFormat(source);
  if (format === 'kpatch') return parseKpatch(source, report);
  if (format === 'yaml') return readYamlPatch(source, report, budget);
  if (format === undefined) reportUnrecognized(source, report);
  return { source, format: 'yaml', patches: [] };
}

function reportUnrecognized(source: SourceFile, report: Report): void {
  const range = findFirstLine(source.text)!;
  const word = source.text.slice(range.start, range.end).trim();
  const assignment = /^([^\s=]{1,60})\s*=\s*(\S.{0,60})$/.exec(word);
  const hint =
    assignment === null
      ? 'start with a header such as `[deployment.web]`, or with `path: value`; a file name that ends in .kpatch or .yaml decides the format'
      : `write \`${assignment[1]}: ${assignment[2]}\``;
  const location = { file: source.path, range };
  report(yamlPatchProblems.create('patch-format-unrecognized', { word, hint }, { location }));
}
