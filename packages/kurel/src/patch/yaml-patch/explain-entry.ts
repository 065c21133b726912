import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { describeJson } from '../json-patch/describe-json.ts';
import type { DocumentPatch } from '../patch.ts';
import { isOperation, nameMappedTarget } from './recognise-foreign-form.ts';

interface Explanation {
  readonly reason: string;
  readonly hint: string;
}

export const entryKeys = ['target', 'type', 'patch'];

interface Suggestion {
  /** The key of an entry that was meant, or that is missing above this one. */
  readonly meant?: string | undefined;
  readonly hint: string;
}

/** What to do about a key that no entry has. */
export function suggestKey(key: string): Suggestion {
  if (key === 'path') return { meant: 'patch', hint: 'write the patch itself below `patch:`; no other file is read' };
  const meant = key === 'patches' ? 'patch' : nearest(key, entryKeys);
  if (meant !== undefined) return { meant, hint: `did you mean \`${meant}\`?` };
  if (/[.[]/.test(key)) return { meant: 'patch', hint: 'write `patch:` above it, and indent it below' };
  return { hint: 'an entry has `target`, `type` and `patch`' };
}

/** What is wrong with a target that is no text, an empty one, or one with half a variable. */
export function explainTarget(target: Json): Explanation {
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
export function explainFields(patch: Json): Explanation {
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
export function explainDocument(patch: Json, type: DocumentPatch['type']): Explanation {
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
