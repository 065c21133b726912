import { quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, JsonArray, JsonObject, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { describeJson } from '../json-patch/describe-json.ts';
import type { Patch, PatchFile } from '../patch.ts';
import { isOperation, recogniseForeignForm } from './recognise-foreign-form.ts';
import { yamlPatchProblems } from './problems.ts';
import { readEntry } from './read-entry.ts';
import { readFieldPatches } from './read-field-patches.ts';
import { locateKey, locateValue } from './reading.ts';
import type { PatchReading } from './reading.ts';

/**
 * Reads a YAML patch: a mapping of paths, a list of entries, or such a list below `patches`. What is reported gives no
 * patches, but does not hide what else there is to report.
 */
export function readYamlPatch(source: SourceFile, report: Report, budget?: Budget): PatchFile {
  const patches: Patch[] = [];
  // As in .kpatch files, `yes` and `off` are texts in the values of fields.
  const { documents, diagnostics } = readYaml(source, { words: 'core', budget });
  for (const diagnostic of diagnostics) report(diagnostic);
  const filled = documents.filter(({ data }) => data !== undefined && data !== null);
  const [first, second] = filled;
  if (second !== undefined) {
    const location = { file: source.path, document: second.index, path: [] };
    report(yamlPatchProblems.create('yaml-multiple-documents', { count: filled.length }, { location }));
  }
  if (first !== undefined) {
    const asManifest = createManifestReader(source, { document: first.index, told: diagnostics, report, budget });
    readDocument({ source, document: first.index, report, patches, asManifest }, first.data!);
  }
  return { source, format: 'yaml', patches };
}

interface ManifestReading {
  readonly document: number;
  /** What is wrong with the text however it is read. */
  readonly told: readonly Diagnostic[];
  readonly report: Report;
  readonly budget: Budget | undefined;
}

/** A document that is merged into an object is a part of a manifest. The text is read again when there is such a one. */
function createManifestReader(
  source: SourceFile,
  { document, told, report, budget }: ManifestReading,
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
    // Keys that differ may be the same in this reading.
    const known = new Set(told.map((one) => JSON.stringify(one)));
    for (const diagnostic of diagnostics) if (!known.has(JSON.stringify(diagnostic))) report(diagnostic);
    return documents.find(({ index }) => index === document)?.data ?? {};
  }
}

function readDocument(reading: PatchReading, data: Json): void {
  if (isJsonArray(data)) readEntries(reading, data, []);
  else if (!isJsonObject(data)) {
    const reason = `a patch file is a mapping of paths or a list of entries, but this is ${describeJson(data)}`;
    refuse(reading, [], { reason, hint: 'write `path: value`, or a list of entries with `target` and `patch`' });
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
    // A whole JSON Patch is one mistake, not one for each operation.
    refuse(reading, [...path, 0, 'op'], recogniseForeignForm(first)!);
    return;
  }
  for (const [index, entry] of entries.entries()) readEntry(reading, entry, [...path, index]);
}

/** `{ patches: [...] }`, which must hold nothing else: a target beside the list would have to mean all entries or none. */
function readWrapper(reading: PatchReading, data: JsonObject): void {
  for (const key of Object.keys(data)) {
    if (key === 'patches') continue;
    const reason = `${quote(key)} stands beside "patches", where it has no meaning`;
    const hint =
      key === 'target'
        ? 'give each entry of the list its own `target`'
        : 'move it into an entry of the list, or remove it';
    refuse(reading, [key], { reason, hint });
  }
  const entries = data['patches']!;
  if (isJsonArray(entries)) readEntries(reading, entries, ['patches']);
  else if (entries !== null) {
    const reason = `"patches" is a list of entries, but this is ${describeJson(entries)}`;
    refuse(reading, ['patches'], { reason, hint: 'write `- target: kind.name` and `patch:` below it' });
  }
}

/** An entry that somebody did not put into a list. */
function recogniseLoneEntry(data: JsonObject) {
  if (!Object.hasOwn(data, 'patch') || !(Object.hasOwn(data, 'target') || Object.hasOwn(data, 'type')))
    return undefined;
  const hint = 'put "- " in front of its first line, and indent the other lines by two spaces';
  return { reason: 'this entry of a patch does not stand in a list', hint, key: 'patch' };
}

function refuse(reading: PatchReading, path: Path, { reason, hint }: { reason: string; hint: string }): void {
  // The key says better than what stands below it, over many lines, what is meant.
  const location = path.length === 0 ? locateValue(reading, path) : locateKey(reading, path);
  reading.report(yamlPatchProblems.create('patch-file-invalid', { reason, hint }, { location }));
}
