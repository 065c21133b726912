import { quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, JsonArray, JsonObject, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { describeJson } from '../json-patch/parse-pointer.ts';
import { findQuoteEnd, findVariableEnd } from '../kpatch/characters.ts';
import { readKpatch } from '../kpatch/read-kpatch.ts';
import type { Patch, PatchFile } from '../patch.ts';
import { createLineScanner } from './create-line-scanner.ts';
import { yamlPatchProblems } from './problems.ts';
import { readEntry } from './read-entry.ts';
import { readFieldPatches } from './read-field-patches.ts';
import { locateKey, locateValue } from './reading.ts';
import type { PatchReading } from './reading.ts';
import { isOperation, recogniseForeignForm } from './recognise-foreign-form.ts';

/** Reads a patch file in either format; an empty one has no patches. */
export function readPatchFile(source: SourceFile, report: Report, budget?: Budget): PatchFile {
  const memory = budget?.memory;
  // YAML spends budget and is cached separately.
  if (memory === undefined || detectPatchFormat(source) !== 'kpatch') return readPatches(source, report, budget);
  const { file, diagnostics } = memory.keep({
    kind: 'patches',
    content: `${source.path.length} ${source.path}${source.text}`,
    create() {
      const found: Diagnostic[] = [];
      return { file: readPatches(source, (diagnostic) => found.push(diagnostic)), diagnostics: found };
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
  const range = findFirstLine(source.text)!;
  const word = source.text.slice(range.start, range.end).trim();
  const assignment = /^([^\s=]{1,60})\s*=\s*(\S.{0,60})$/.exec(word);
  const hint =
    assignment === null
      ? 'start with a header such as `[deployment.web]` or with `path: value`, or name the file *.kpatch or *.yaml'
      : `use \`${assignment[1]}: ${assignment[2]}\``;
  const location = { file: source.path, range };
  report(yamlPatchProblems.create('patch-format-unrecognized', { word, hint }, { location }));
}

/** Reads a .kpatch file. Invalid lines add no patches; all problems are reported, in file order. */
export function parseKpatch(source: SourceFile, report: Report): PatchFile {
  const { patches, problems } = readKpatch(source);
  for (const problem of problems) report(problem);
  return { source, format: 'kpatch', patches };
}

/**
 * Detects the format of a patch file by its name; a .kpatch file whose first line is a list item contains YAML. Without a
 * known extension, the content decides. `empty` has only comments; `undefined` is neither format.
 */
export function detectPatchFormat(source: SourceFile): 'kpatch' | 'yaml' | 'empty' | undefined {
  const extension = /\.([a-z]+)$/i.exec(source.path)?.[1]?.toLowerCase();
  if (extension === 'kpatch') return startsList(source.text) ? 'yaml' : 'kpatch';
  if (extension === 'yaml' || extension === 'yml' || extension === 'json') return 'yaml';
  return detectByContent(source.text);
}

/** The first line that is not empty, a comment, `---` or a directive. */
function findFirstLine(text: string): { readonly start: number; readonly end: number } | undefined {
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    if (isSignificant(withoutMark(match[0]))) return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

function startsList(text: string): boolean {
  const place = findFirstLine(text);
  return place !== undefined && /^-(?:\s|$)/.test(withoutMark(text.slice(place.start, place.end)).trim());
}

function detectByContent(text: string): 'kpatch' | 'yaml' | 'empty' | undefined {
  const place = findFirstLine(text);
  if (place === undefined) return 'empty';
  const first = withoutMark(text.slice(place.start, place.end)).trim();
  if (/^(?:-(?:\s|$)|---\s|\{)/.test(first)) return 'yaml';
  if (isUnfinishedHeader(first)) return 'kpatch';
  if (findHeader(text, place.start) !== undefined) return 'kpatch';
  // A flow list is YAML even if its first line is only the bracket.
  return first.includes(':') || first.startsWith('[') ? 'yaml' : undefined;
}

/** The first line that can be a header and is not inside a block or a flow collection. */
function findHeader(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  const scanner = createLineScanner();
  const lines = /[^\r\n]+/g;
  lines.lastIndex = from;
  for (let match = lines.exec(text); match !== null; match = lines.exec(text)) {
    const line = withoutMark(match[0]);
    if (scanner.pass(line) && isHeaderLine(line.trim())) return { start: match.index, end: lines.lastIndex };
  }
  return undefined;
}

function isSignificant(line: string): boolean {
  return !/^(?:[ \t]*(?:#|$)|%|---[ \t]*(?:#|$))/.test(line);
}

/** The byte order mark at the start of a file is not part of any line. */
function withoutMark(line: string): string {
  return line.startsWith('\uFEFF') ? line.slice(1) : line;
}

const start = /^\[[ \t]*(?=[\p{L}*"'$])/u;
const nameCharacter = /[\p{L}\p{M}\p{N}_\-/@~%:.*?=+]/u;

/** Whether a trimmed line can be `[kind.name…]`, optionally with a comment. */
function isHeaderLine(line: string): boolean {
  return shapeOf(line) === 'named';
}

/** Whether a line is a header without a name: `[deployment]`. */
function isUnfinishedHeader(line: string): boolean {
  return shapeOf(line) === 'nameless' && /^\[[ \t]*\p{L}/u.test(line);
}

/** Form of the text in brackets; `undefined` if it is not a header. Each character is read once. */
function shapeOf(line: string): 'named' | 'nameless' | undefined {
  let offset = start.exec(line)?.[0].length ?? line.length;
  let depth = 1;
  let named = false;
  let isValue = false;
  let isGroup = false;
  while (offset < line.length) {
    const character = String.fromCodePoint(line.codePointAt(offset)!);
    let next = offset + character.length;
    if (character === ']') {
      depth -= 1;
      if (depth === 0) return endsLine(line, next) ? (named ? 'named' : 'nameless') : undefined;
    } else if (character === '[') {
      named ||= depth === 1;
      depth += 1;
    } else if (character === '"' || character === "'") {
      next = findQuoteEnd(line, offset);
    } else if (character === '$') {
      next = Math.max(findVariableEnd(line, { from: offset, to: line.length }), next);
    } else if (depth === 1 && (character === ' ' || character === '\t')) {
      // Inside the outer brackets, spaces are allowed only at the edges.
      next = skipBlanks(line, offset);
      if (line[next] !== ']') return undefined;
    } else if (depth === 1) {
      // A comma distinguishes a flow list from a header, except in the value of a selector.
      if (!isValue && !nameCharacter.test(character)) return undefined;
      isValue = character === '=' || (isValue && character !== '.');
      isGroup ||= character === '@';
      named ||= character === '.' || (isGroup && character === '/');
    }
    offset = next;
  }
  return undefined;
}

function endsLine(line: string, offset: number): boolean {
  const next = skipBlanks(line, offset);
  return next === line.length || (next > offset && line[next] === '#');
}

function skipBlanks(line: string, offset: number): number {
  let next = offset;
  while (line[next] === ' ' || line[next] === '\t') next += 1;
  return next;
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
    const asManifest = createManifestReader(source, { document: first.index, reported: diagnostics, report, budget });
    readDocument({ source, document: first.index, report, patches, asManifest }, first.data!);
  }
  return { source, format: 'yaml', patches };
}

interface ManifestReading {
  readonly document: number;
  /** Problems that do not depend on how words such as `yes` are read. */
  readonly reported: readonly Diagnostic[];
  readonly report: Report;
  readonly budget: Budget | undefined;
}

/** A document that is merged into an object is read like a manifest, so the text is parsed again if there is one. */
function createManifestReader(
  source: SourceFile,
  { document, reported, report, budget }: ManifestReading,
): PatchReading['asManifest'] {
  let root: Json | undefined;
  return (path) => {
    root ??= readAsManifest();
    return path.reduce<Json | undefined>(
      (value, step) => (value as Readonly<Record<string | number, Json>> | undefined)?.[step],
      root,
    );
  };

  function readAsManifest(): Json {
    const { documents, diagnostics } = readYaml(source, { budget });
    // Keys that differ in one reading may be equal in the other.
    const known = new Set(reported.map((one) => JSON.stringify(one)));
    for (const diagnostic of diagnostics) if (!known.has(JSON.stringify(diagnostic))) report(diagnostic);
    return documents.find(({ index }) => index === document)?.data ?? {};
  }
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
