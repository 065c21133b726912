import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import { describeJson } from '../json-patch/describe-json.ts';
import type { DocumentPatch } from '../patch.ts';
import { entryKeys, explainDocument, explainFields, explainTarget, suggestKey } from './explain-entry.ts';
import { isKubernetesObject, recogniseForeignForm } from './recognise-foreign-form.ts';
import { readPatchType } from './read-patch-type.ts';
import { yamlPatchProblems } from './problems.ts';
import { readFieldPatches } from './read-field-patches.ts';
import type { TextTarget } from './read-field-patches.ts';
import { locateKey, locateValue } from './reading.ts';
import type { PatchReading } from './reading.ts';

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
