import { nearest, quote } from '../../diagnostics/index.ts';
import type { Json } from '../../model/index.ts';
import type { DocumentPatch } from '../patch.ts';
import { describeJson } from '../json-patch/describe-json.ts';

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
export function readPatchType(type: Json | undefined): 'field' | DocumentPatch['type'] | UnknownType {
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
