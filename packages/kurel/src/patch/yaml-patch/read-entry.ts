import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import { describeJson } from '../json-patch/parse-pointer.ts';
import type { DocumentPatch } from '../patch.ts';
import { yamlPatchProblems } from './problems.ts';
import { readFieldPatches } from './read-field-patches.ts';
import type { TextTarget } from './read-field-patches.ts';
import { locateKey, locateValue } from './reading.ts';
import type { PatchReading } from './reading.ts';
import { isKubernetesObject, isOperation, nameMappedTarget, recogniseForeignForm } from './recognise-foreign-form.ts';

interface Explanation {
  readonly reason: string;
  readonly hint: string;
}

const entryKeys = ['target', 'type', 'patch'];

interface Suggestion {
  /** The key of an entry that was meant, or that is missing above this one. */
  readonly meant?: string | undefined;
  readonly hint: string;
}

/** What to do about a key that no entry has. */
function suggestKey(key: string): Suggestion {
  if (key === 'path') return { meant: 'patch', hint: 'write the patch itself below `patch:`; no other file is read' };
  const meant = key === 'patches' ? 'patch' : nearest(key, entryKeys);
  if (meant !== undefined) return { meant, hint: `did you mean \`${meant}\`?` };
  if (/[.[]/.test(key)) return { meant: 'patch', hint: 'write `patch:` above it, and indent it below' };
  return { hint: 'an entry has `target`, `type` and `patch`' };
}

/** What is wrong with a target that is no text, an empty one, or one with half a variable. */
function explainTarget(target: Json): Explanation {
  const example = 'write `target: kind.name`, or `target: namespace/kind.name`';
  if (typeof target === 'string') {
    if (target.trim() === '') return { reason: 'the target is empty', hint: `${example}, or leave it out` };
    return { reason: `the target ${quote(target)} has a \`\${\` without \`}\``, hint: 'close the variable with `}`' };
  }
  const reason = `a target is a text, but this is ${describeJson(target)}`;
  if (isJsonObject(target)) {
    const text = nameMappedTarget(target);
    return { reason, hint: text === undefined ? example : `write \`target: ${text}\`` };
  }
  if (isJsonArray(target)) return { reason, hint: 'write one entry for each target' };
  return { reason, hint: `quote it if it is a name: \`target: "${String(target)}"\`` };
}

/** What is wrong with the `patch` of an entry for paths of fields. */
function explainFields(patch: Json): Explanation {
  if (isJsonObject(patch)) {
    return { reason: 'this is a whole object, not a mapping of paths', hint: 'add `type: strategic` to merge it' };
  }
  const reason = `a patch is a mapping of paths, but this is ${describeJson(patch)}`;
  if (isBlockOfText(patch)) return { reason, hint: unblock };
  const isJsonPatch = isJsonArray(patch) && patch.some(isOperation);
  const hint = isJsonPatch ? 'add `type: json` for operations of a JSON Patch' : 'write `path: value` below `patch:`';
  return { reason, hint };
}

/** What is wrong with the `patch` of an entry for a document. */
function explainDocument(patch: Json, type: DocumentPatch['type']): Explanation {
  const form = type === 'json' ? 'a list of operations' : 'a mapping';
  const reason = `a ${type} patch is ${form}, but this is ${describeJson(patch)}`;
  if (isBlockOfText(patch)) return { reason, hint: unblock };
  if (type === 'json') {
    if (isOperation(patch)) return { reason, hint: 'put "- " in front of the operation' };
    return { reason, hint: 'write `- op: …` below `patch:`, or `type: strategic` for a part of an object' };
  }
  if (isJsonArray(patch) && patch.some(isOperation)) {
    return { reason, hint: 'write `type: json` for operations of a JSON Patch' };
  }
  return { reason, hint: 'write the part of the object that is to change, as it stands in the object' };
}

const unblock = 'write the patch as YAML, not as a text: leave out the `|` or the quotes behind `patch:`';

/** kustomize has patches as texts inside its own file. */
function isBlockOfText(patch: Json): boolean {
  return typeof patch === 'string' && patch.includes(':');
}

/** An entry whose keys are known to be its own. */
interface Entry {
  readonly reading: PatchReading;
  readonly path: Path;
  readonly data: JsonObject;
  /** `null` when there is one that cannot be read. */
  readonly target: TextTarget | undefined | null;
  /** Keys that are not missing but misspelt, which is reported already. */
  readonly misspelt: readonly (string | undefined)[];
}

/** Reads one `{ target, type, patch }` and adds what it asks for. */
export function readEntry(reading: PatchReading, data: Json, path: Path): void {
  if (!isJsonObject(data)) {
    const reason = `an entry of a patch is a mapping, but this is ${describeJson(data)}`;
    refuse(reading, path, {
      reason,
      hint: 'write `target: kind.name`, and `patch:` with the paths to change below it',
    });
    return;
  }
  const foreign = recogniseForeignForm(data);
  if (foreign !== undefined) {
    refuse(reading, [...path, foreign.key], foreign);
    return;
  }
  const misspelt = Object.keys(data)
    .filter((key) => !entryKeys.includes(key))
    .map((key) => {
      const { meant, hint } = suggestKey(key);
      const location = locateKey(reading, [...path, key]);
      reading.report(yamlPatchProblems.create('patch-unknown-key', { key, hint }, { location }));
      return meant;
    });
  const target = readTarget(reading, data['target'], [...path, 'target']);
  const entry: Entry = { reading, path, data, target, misspelt };
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

function readFields({ reading, path, data, target, misspelt }: Entry): void {
  const patch = withoutNothing(data['patch']);
  const place = [...path, 'patch'];
  if (patch === undefined) {
    if (misspelt.includes('patch')) return;
    refuse(reading, path, { reason: 'the entry has no patch', hint: 'write the paths to change below `patch:`' });
  } else if (!isJsonObject(patch) || isKubernetesObject(patch)) refuse(reading, place, explainFields(patch));
  else if (target !== null) readFieldPatches(reading, patch, { target, path: place });
}

function readDocument({ reading, path, data, target, misspelt }: Entry, type: DocumentPatch['type']): void {
  const patch = withoutNothing(data['patch']);
  const place = [...path, 'patch'];
  if (target === undefined && !misspelt.includes('target')) {
    const location = locateValue(reading, [...path, 'type']);
    reading.report(yamlPatchProblems.create('smp-target-required', { type }, { location }));
  }
  if (patch === undefined ? !misspelt.includes('patch') : isEmpty(patch)) {
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

/** `patch:` with nothing behind it is as good as none. */
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

/** Words that other tools have for the same, without blanks and hyphens. */
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

interface UnknownType {
  /** As a message shows it. */
  readonly type: string;
  readonly hint: string;
}

/** What the `type` of an entry means; nothing and the empty text stand for paths of fields. */
function readPatchType(type: Json | undefined): 'field' | DocumentPatch['type'] | UnknownType {
  if (type === undefined || type === null || type === '') return 'field';
  const known = documentTypes.find((word) => word === type);
  return known ?? { type: describeJson(type), hint: suggestType(type) };
}

function suggestType(type: Json): string {
  const all = `write ${documentTypes.map((word) => `\`${word}\``).join(', ')}, or leave \`type\` out for paths of fields`;
  if (typeof type !== 'string') return all;
  const word = type.toLowerCase().replaceAll(/[\s_-]/g, '');
  if (/^fields?(?:patch)?$/.test(word)) return `leave \`type\` out instead of ${quote(type)}`;
  const near = nearest(type, documentTypes) ?? otherWords.get(word);
  return near === undefined ? all : `did you mean \`${near}\`?`;
}
