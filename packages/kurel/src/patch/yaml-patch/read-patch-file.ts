import { quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, JsonArray, JsonObject, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { describeJson } from '../json-patch/read-operations.ts';
import { formatSections, readKpatch } from '../kpatch/read-kpatch.ts';
import type { Patch, PatchFile } from '../patch.ts';
import { detectPatchFormat, findFirstLine, findHeader } from './detect-format.ts';
import { yamlPatchProblems } from './problems.ts';
import {
  isOperation,
  locateKey,
  locateValue,
  readEntry,
  readFieldPatches,
  recogniseForeignForm,
} from './read-entry.ts';
import type { PatchReading } from './read-entry.ts';

/** Reads a patch file in either format; an empty one has no patches. */
export function readPatchFile(source: SourceFile, report: Report, budget?: Budget): PatchFile {
  const memory = budget?.memory;
  // YAML spends budget and is cached separately.
  if (memory === undefined || detectPatchFormat(source) !== 'kpatch') return readPatches(source, report, budget);
  const { file, diagnostics } = memory.keep({
    kind: 'patches',
    content: `${source.path.length} ${source.path}${source.text}`,
    create() {
      const diagnostics: Diagnostic[] = [];
      return { file: readPatches(source, (diagnostic) => diagnostics.push(diagnostic)), diagnostics };
    },
  });
  diagnostics.forEach(report);
  return file;
}

function readPatches(source: SourceFile, report: Report, budget?: Budget): PatchFile {
  const format = detectPatchFormat(source);
  if (format === 'kpatch') return parseKpatch(source, report);
  if (format === 'yaml')
    return hasBothSyntaxes(source, report) ? noPatches(source) : readYamlPatch(source, report, budget);
  if (format === undefined) reportUnrecognized(source, report);
  return noPatches(source);
}

function noPatches(source: SourceFile): PatchFile {
  return { source, format: 'yaml', patches: [] };
}

/** A .kpatch file that starts as YAML and contains a header: a YAML syntax error for that line would not help. */
function hasBothSyntaxes({ path, text }: SourceFile, report: Report): boolean {
  const range = /\.kpatch$/i.test(path) ? findHeader(text, 0) : undefined;
  if (range === undefined) return false;
  const reason = `this file starts with "- ", so it is read as YAML, which has no headers`;
  const hint = 'move the sections with headers to a separate file';
  report(yamlPatchProblems.create('patch-file-invalid', { reason, hint }, { location: { file: path, range } }));
  return true;
}

function reportUnrecognized(source: SourceFile, report: Report): void {
  const { range } = findFirstLine(source.text)!;
  const word = source.text.slice(range.start, range.end).trim();
  const assignment = /^([^\s=]{1,60})\s*=\s*(\S.{0,60})$/.exec(word);
  const hint =
    assignment === null
      ? 'start with a header such as `[deployment.web]` or with `path: value`, or name the file *.kpatch or *.yaml'
      : `use \`${assignment[1]}: ${assignment[2]}\``;
  const location = { file: source.path, range };
  report(yamlPatchProblems.create('patch-format-unrecognized', { word, hint }, { location }));
}

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

/** Reads a .kpatch file. Invalid lines add no patches; all problems are reported, in file order. */
export function parseKpatch(source: SourceFile, report: Report): PatchFile {
  const { patches, problems } = readKpatch(source);
  for (const problem of problems) report(problem);
  return { source, format: 'kpatch', patches };
}

/**
 * Reads a YAML patch: a map of paths, a list of entries, or such a list below `patches`. An invalid entry adds no patches, but
 * does not hide other problems.
 */
export function readYamlPatch(source: SourceFile, report: Report, budget?: Budget): PatchFile {
  const patches: Patch[] = [];
  // As in .kpatch files, `yes` and `off` are strings in field values.
  const { documents, diagnostics } = readYaml(source, { words: 'core', budget });
  for (const diagnostic of diagnostics) report(diagnostic);
  const filled = documents.filter(({ data }) => data !== undefined && data !== null);
  const [first, second] = filled;
  if (second !== undefined) {
    const location = { file: source.path, document: second.index, path: [] };
    report(yamlPatchProblems.create('yaml-multiple-documents', { count: filled.length }, { location }));
  }
  if (first !== undefined) {
    let root: Json | undefined;
    const readManifest = (): Json => {
      const manifests = readYaml(source, { budget });
      // Keys that differ in one reading may be equal in the other.
      const reported = new Set(diagnostics.map((diagnostic) => JSON.stringify(diagnostic)));
      for (const diagnostic of manifests.diagnostics) if (!reported.has(JSON.stringify(diagnostic))) report(diagnostic);
      return manifests.documents.find(({ index }) => index === first.index)?.data ?? {};
    };
    // A document that is merged into an object is read like a manifest, so the text is parsed again if there is one.
    const asManifest = (path: Path): Json | undefined => valueAt((root ??= readManifest()), path);
    readDocument({ source, document: first.index, report, patches, asManifest }, first.data!);
  }
  return { source, format: 'yaml', patches };
}

function readDocument(reading: PatchReading, data: Json): void {
  if (isJsonArray(data)) readEntries(reading, data, []);
  else if (!isJsonObject(data)) {
    const reason = `a patch file must be a map of paths or a list of entries, got ${describeJson(data)}`;
    refuse(reading, [], { reason, hint: 'use `path: value`, or a list of entries with `target` and `patch`' });
  } else {
    const foreign = recogniseForeignForm(data) ?? recogniseLoneEntry(data);
    if (foreign !== undefined) refuse(reading, [foreign.key], foreign);
    else if (Object.hasOwn(data, 'patches')) readWrapper(reading, data);
    else readFieldPatches(reading, data, { target: undefined, path: [] });
  }
}

function readEntries(reading: PatchReading, entries: JsonArray, path: Path): void {
  const [first] = entries;
  if (isJsonObject(first) && entries.every(isOperation)) {
    // A whole JSON Patch is reported once, not per operation.
    refuse(reading, [...path, 0, 'op'], recogniseForeignForm(first)!);
    return;
  }
  for (const [index, entry] of entries.entries()) readEntry(reading, entry, [...path, index]);
}

/** `{ patches: [...] }` must have no other keys, because it would be unclear which entries a target applies to. */
function readWrapper(reading: PatchReading, data: JsonObject): void {
  for (const key of Object.keys(data)) {
    if (key === 'patches') continue;
    const reason = `${quote(key)} is not allowed next to "patches"`;
    const hint =
      key === 'target' ? 'add a `target` to each entry of the list' : 'move it into an entry of the list, or remove it';
    refuse(reading, [key], { reason, hint });
  }
  const entries = data['patches']!;
  if (isJsonArray(entries)) readEntries(reading, entries, ['patches']);
  else if (entries !== null) {
    const reason = `patches must be a list of entries, got ${describeJson(entries)}`;
    refuse(reading, ['patches'], { reason, hint: 'add `- target: kind.name` with `patch:` below it' });
  }
}

/** An entry that is not in a list. */
function recogniseLoneEntry(data: JsonObject) {
  if (!Object.hasOwn(data, 'patch') || !(Object.hasOwn(data, 'target') || Object.hasOwn(data, 'type')))
    return undefined;
  const hint = 'put "- " before its first line, and indent the other lines by two spaces';
  return { reason: 'a patch entry must be in a list', hint, key: 'patch' };
}

function refuse(reading: PatchReading, path: Path, { reason, hint }: { reason: string; hint: string }): void {
  // The key is a better location than a value of many lines.
  const location = path.length === 0 ? locateValue(reading, path) : locateKey(reading, path);
  reading.report(yamlPatchProblems.create('patch-file-invalid', { reason, hint }, { location }));
}
