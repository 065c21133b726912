import type { KubeObject, OutputFile } from '../model/index.ts';
import { indentJson, joinDocuments } from './join-texts.ts';
import type { LayoutInput } from './layout.ts';
import { writeObject } from './write-object.ts';

/** A file for all objects to which `stemOf` gives the same name, in the order of their names. */
export function layOutGroups(input: LayoutInput, stemOf: (object: KubeObject) => string): readonly OutputFile[] {
  const { format, dropped = [] } = input;
  const partial = new Set(dropped.map(stemOf));
  const groups = new Map<string, string[]>();
  for (const object of input.objects) {
    const text = writeObject(object, input);
    if (text === undefined) continue;
    const stem = stemOf(object);
    const group = groups.get(stem);
    if (group === undefined) groups.set(stem, [text]);
    else group.push(text);
  }
  return [...groups]
    .map(([stem, texts]) => ({
      path: `${stem}.${format}`,
      text: format === 'json' ? joinList(texts) : joinDocuments(texts),
      isPartial: partial.has(stem) || undefined,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** As a List, the only form in which both kubectl and kustomize take several objects from a JSON file. */
function joinList(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!;
  const items = texts.map((text) => indentJson(text, '    ')).join(',\n');
  return `{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [\n${items}\n  ]\n}\n`;
}
