import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, stepInto } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import { describeJson } from '../json-patch/read-operations.ts';
import type { SyntaxProblem } from '../kpatch/cursor.ts';
import { gatherItems } from '../kpatch/gather-items.ts';
import type { EntrySection, RawEntry } from '../kpatch/gather-items.ts';
import { parsePath } from '../kpatch/parse-path.ts';
import type { DocumentPatch, Patch, Target } from '../patch.ts';
import { yamlPatchProblems } from './problems.ts';

/** State of reading one patch document. */
export interface PatchReading {
  readonly source: SourceFile;
  /** Index of the document in the file. */
  readonly document: number;
  readonly report: Report;
  readonly patches: Patch[];
  /** Value at a path, read as in a manifest, where `yes` is true. */
  readonly asManifest: (path: Path) => Json | undefined;
}

export function locateValue({ source, document }: PatchReading, path: Path): Location {
  return { file: source.path, document, path };
}

export function locateKey({ source, document }: PatchReading, path: Path): Location {
  return { file: source.path, document, path, at: 'key' };
}

/** Recognises forms of other tools by a key, and how to convert them: objects for kubectl or kustomize, JSON Patch operations. */
export function recogniseForeignForm(data: JsonObject) {
  if (isKubernetesObject(data)) {
    const { kind } = data;
    if (data.apiVersion.startsWith('kustomize.config.k8s.io/')) {
      const hint = `build its directory, and turn each of its patches into an entry of a list:\n${sketch('strategic')}`;
      return { reason: 'this is a kustomization, not a patch', hint, key: 'kind' };
    }
    const hint = `to merge it into an object, turn it into an entry of a list:\n${sketch('strategic', nameTarget(data))}`;
    return { reason: `this is a Kubernetes object of kind ${quote(kind)}, not a patch`, hint, key: 'kind' };
  }
  if (!isOperation(data)) return undefined;
  const hint = `put the operations in an entry of a list:\n${sketch('json')}`;
  return { reason: 'this JSON Patch operation has no target', hint, key: 'op' };
}

function isKubernetesObject(data: JsonObject): data is JsonObject & { apiVersion: string; kind: string } {
  return typeof stepInto(data, 'apiVersion') === 'string' && typeof stepInto(data, 'kind') === 'string';
}

/** Whether the data is a JSON Patch operation. */
export function isOperation(data: Json): boolean {
  return isJsonObject(data) && typeof stepInto(data, 'op') === 'string' && typeof stepInto(data, 'path') === 'string';
}

/** Converts a kustomize target with `kind`, `name` and `namespace`. */
function nameMappedTarget(target: JsonObject): string | undefined {
  return joinTarget(stepInto(target, 'kind'), stepInto(target, 'name'), stepInto(target, 'namespace'));
}

function nameTarget(data: JsonObject & { readonly kind: string }): string | undefined {
  const metadata = stepInto(data, 'metadata');
  if (!isJsonObject(metadata)) return undefined;
  return joinTarget(data.kind, stepInto(metadata, 'name'), stepInto(metadata, 'namespace'));
}

/** Safe to copy from a message: `undefined` for anything that is not a valid Kubernetes name. */
function joinTarget(kind?: Json, name?: Json, namespace?: Json): string | undefined {
  const plain = /^[A-Za-z0-9.-]{1,63}$/;
  if (typeof kind !== 'string' || typeof name !== 'string' || !plain.test(kind) || !plain.test(name)) return undefined;
  const prefix = typeof namespace === 'string' && plain.test(namespace) ? `${namespace}/` : '';
  return `${prefix}${kind.toLowerCase()}.${name}`;
}

function sketch(type: 'strategic' | 'json', target = 'kind.name'): string {
  const patch = type === 'json' ? '  patch:\n    - op: …' : '  patch: …';
  return `- target: ${target}\n  type: ${type}\n${patch}`;
}

interface Explanation {
  readonly reason: string;
  readonly hint: string;
}

const entryKeys = ['target', 'type', 'patch'];

/** Suggests what to do about an unknown key; `meant` is the intended key, or the one that is missing above it. */
function suggestKey(key: string): { readonly meant?: string; readonly hint: string } {
  if (key === 'path') return { meant: 'patch', hint: 'put the patch itself below `patch:`; other files are not read' };
  const meant = key === 'patches' ? 'patch' : nearest(key, entryKeys);
  if (meant !== undefined) return { meant, hint: `did you mean \`${meant}\`?` };
  if (/[.[]/.test(key)) return { meant: 'patch', hint: 'add `patch:` above it, and indent it' };
  return { hint: 'use `target`, `type` and `patch`' };
}

/** Explains a target that is not a string, is empty, or has an unclosed variable. */
function explainTarget(target: Json): Explanation {
  const example = 'use `target: kind.name` or `target: namespace/kind.name`';
  if (typeof target === 'string') {
    if (target.trim() === '') return { reason: 'the target is empty', hint: `${example}, or remove it` };
    return { reason: `\`\${\` is not closed in the target ${quote(target)}`, hint: 'close the variable with `}`' };
  }
  const reason = `target must be a string, got ${describeJson(target)}`;
  if (isJsonObject(target)) {
    const text = nameMappedTarget(target);
    return { reason, hint: text === undefined ? example : `use \`target: ${text}\`` };
  }
  if (isJsonArray(target)) return { reason, hint: 'add one entry per target' };
  return { reason, hint: `quote the name: \`target: "${String(target)}"\`` };
}

/** Explains an invalid `patch` in an entry for field paths. */
function explainFields(patch: Json): Explanation {
  if (isJsonObject(patch)) {
    return { reason: 'this is a whole object, not a map of paths', hint: 'add `type: strategic` to merge it' };
  }
  const reason = `patch must be a map of paths, got ${describeJson(patch)}`;
  if (isBlockOfText(patch)) return { reason, hint: unblock };
  const isJsonPatch = isJsonArray(patch) && patch.some(isOperation);
  const hint = isJsonPatch ? 'add `type: json` for JSON Patch operations' : 'add `path: value` below `patch:`';
  return { reason, hint };
}

/** Explains an invalid `patch` in an entry for a document. */
function explainDocument(patch: Json, type: DocumentPatch['type']): Explanation {
  const form = type === 'json' ? 'a list of operations' : 'an object';
  const reason = `a ${type === 'json' ? 'JSON' : type} patch must be ${form}, got ${describeJson(patch)}`;
  if (isBlockOfText(patch)) return { reason, hint: unblock };
  if (type === 'json') {
    if (isOperation(patch)) return { reason, hint: 'put "- " before the operation' };
    return { reason, hint: 'add `- op: …` below `patch:`, or use `type: strategic` to merge a part of an object' };
  }
  if (isJsonArray(patch) && patch.some(isOperation)) {
    return { reason, hint: 'use `type: json` for JSON Patch operations' };
  }
  return { reason, hint: 'add the part of the object to change, with the same structure' };
}

const unblock = 'write the patch as YAML, not as a string: remove the `|` or the quotes after `patch:`';

/** kustomize embeds patches as strings in its own file. */
function isBlockOfText(patch: Json): boolean {
  return typeof patch === 'string' && patch.includes(':');
}

/** An entry with valid keys. */
interface Entry {
  readonly reading: PatchReading;
  readonly path: Path;
  readonly data: JsonObject;
  /** `null` if it is invalid. */
  readonly target: TextTarget | undefined | null;
  /** Keys that are not missing but misspelled, which is already reported. */
  readonly misspelled: readonly (string | undefined)[];
}

/** Reads one `{ target, type, patch }` and adds its patches. */
export function readEntry(reading: PatchReading, data: Json, path: Path): void {
  if (!isJsonObject(data)) {
    const reason = `a patch entry must be an object, got ${describeJson(data)}`;
    refuse(reading, path, {
      reason,
      hint: 'use `target: kind.name`, with the paths to change below `patch:`',
    });
    return;
  }
  const foreign = recogniseForeignForm(data);
  if (foreign !== undefined) {
    refuse(reading, [...path, foreign.key], foreign);
    return;
  }
  const misspelled = Object.keys(data)
    .filter((key) => !entryKeys.includes(key))
    .map((key) => {
      const { meant, hint } = suggestKey(key);
      const location = locateKey(reading, [...path, key]);
      reading.report(yamlPatchProblems.create('patch-unknown-key', { key, hint }, { location }));
      return meant;
    });
  const target = readTarget(reading, data['target'], [...path, 'target']);
  const entry: Entry = { reading, path, data, target, misspelled };
  const type = readPatchType(data['type']);
  if (type === 'field') readFields(entry);
  else if (typeof type === 'string') readDocument(entry, type);
  else {
    const problem = { ...type, target: target?.text.text };
    const location = locateValue(reading, [...path, 'type']);
    reading.report(yamlPatchProblems.create('patch-type-unknown', problem, { location }));
  }
}

function readTarget(reading: PatchReading, target: Json | undefined, path: Path): Entry['target'] {
  if (target === undefined || target === null) return undefined;
  if (typeof target === 'string' && target.trim() !== '') {
    const text = parseTemplate(target.trim());
    if (text.unclosed === undefined) return { type: 'text', text, location: locateValue(reading, path) };
  }
  refuse(reading, path, explainTarget(target));
  return null;
}

function readFields({ reading, path, data, target, misspelled }: Entry): void {
  const patch = withoutNothing(data['patch']);
  const place = [...path, 'patch'];
  if (patch === undefined) {
    if (misspelled.includes('patch')) return;
    refuse(reading, path, {
      reason: 'required field "patch" is missing in the entry',
      hint: 'add the paths to change below `patch:`',
    });
  } else if (!isJsonObject(patch) || isKubernetesObject(patch)) refuse(reading, place, explainFields(patch));
  else if (target !== null) readFieldPatches(reading, patch, { target, path: place });
}

function readDocument({ reading, path, data, target, misspelled }: Entry, type: DocumentPatch['type']): void {
  const patch = withoutNothing(data['patch']);
  const place = [...path, 'patch'];
  if (target === undefined && !misspelled.includes('target')) {
    const location = locateValue(reading, [...path, 'type']);
    reading.report(yamlPatchProblems.create('smp-target-required', { type }, { location }));
  }
  if (patch === undefined ? !misspelled.includes('patch') : isEmpty(patch)) {
    const location = Object.hasOwn(data, 'patch') ? locateKey(reading, place) : locateValue(reading, [...path, 'type']);
    reading.report(yamlPatchProblems.create('smp-empty', { type, target: target?.text.text }, { location }));
  } else if (patch !== undefined) {
    const fits = type === 'json' ? isJsonArray(patch) : isJsonObject(patch);
    if (!fits) refuse(reading, place, explainDocument(patch, type));
    else if (target) {
      const document = reading.asManifest(place);
      if (document !== undefined)
        reading.patches.push({ type, target, document, location: locateValue(reading, place) });
    }
  }
}

/** An empty `patch:` is the same as none. */
function withoutNothing(patch: Json | undefined): Json | undefined {
  return patch === null || patch === '' ? undefined : patch;
}

function isEmpty(patch: Json): boolean {
  return typeof patch === 'object' && patch !== null && Object.keys(patch).length === 0;
}

function refuse(reading: PatchReading, path: Path, { reason, hint }: { reason: string; hint?: string }): void {
  const location = locateValue(reading, path);
  reading.report(yamlPatchProblems.create('patch-entry-invalid', { reason, hint }, { location }));
}

const documentTypes: readonly DocumentPatch['type'][] = ['strategic', 'merge', 'json'];

/** Names that other tools use for the types, without spaces and hyphens. */
const otherWords = new Map<string, string>([
  ['smp', 'strategic'],
  ['strategicmerge', 'strategic'],
  ['strategicmergepatch', 'strategic'],
  ['patchstrategicmerge', 'strategic'],
  ['jsonmerge', 'merge'],
  ['mergepatch', 'merge'],
  ['jsonmergepatch', 'merge'],
  ['rfc7386', 'merge'],
  ['rfc7396', 'merge'],
  ['jsonpatch', 'json'],
  ['json6902', 'json'],
  ['rfc6902', 'json'],
]);

/** Reads the `type` of an entry; null and the empty string mean field paths. An unknown one is described for messages. */
function readPatchType(type: Json | undefined) {
  if (type === undefined || type === null || type === '') return 'field';
  const documentType = documentTypes.find((word) => word === type);
  return documentType ?? { type: describeJson(type), hint: suggestType(type) };
}

function suggestType(type: Json): string {
  const all = `use ${documentTypes.map((word) => `\`${word}\``).join(', ')}, or remove \`type\` for field paths`;
  if (typeof type !== 'string') return all;
  const word = type.toLowerCase().replaceAll(/[\s_-]/g, '');
  if (/^fields?(?:patch)?$/.test(word)) return `remove \`type: ${type}\`: field paths need no type`;
  const near = nearest(type, documentTypes) ?? otherWords.get(word);
  return near === undefined ? all : `did you mean \`${near}\`?`;
}

type TextTarget = Extract<Target, { readonly type: 'text' }>;

/**
 * Adds a patch for each `path: value`, in order; consecutive paths into the same new item become one patch. Without a
 * target, each path determines its object.
 */
export function readFieldPatches(
  reading: PatchReading,
  fields: JsonObject,
  { target, path }: { readonly target: TextTarget | undefined; readonly path: Path },
): void {
  const problems = new Map<string, SyntaxProblem>();
  const entries: RawEntry[] = [];
  for (const [key, data] of Object.entries(fields)) {
    const parsed = parsePath(key);
    if ('problem' in parsed) {
      problems.set(key, parsed.problem);
      continue;
    }
    const place = [...path, key];
    entries.push({
      steps: parsed.steps,
      value: { type: 'data', data, location: locateValue(reading, place) },
      text: key,
      location: locateKey(reading, place),
    });
  }
  const section: EntrySection = {
    target: target ?? { type: 'derived' },
    steps: [],
    text: target === undefined ? '' : `[${target.text.text}]`,
  };
  const refuse = (problem: SyntaxProblem, { text }: RawEntry): unknown => problems.set(text, problem);
  for (const patch of gatherItems(entries, { section, refuse })) reading.patches.push(patch);
  // By position, because several checks find them.
  for (const key of problems.size === 0 ? [] : Object.keys(fields)) {
    const problem = problems.get(key);
    if (problem === undefined) continue;
    const { reason, hint } = problem;
    const location = locateKey(reading, [...path, key]);
    reading.report(yamlPatchProblems.create('patch-path-syntax', { key, reason, hint }, { location }));
  }
}
