import type { OutputFile } from '../model/index.ts';
import { indentJson, joinDocuments } from './join-texts.ts';
import type { LayoutInput } from './layout.ts';
import { writeObject } from './write-object.ts';

/** All objects in one text: YAML documents with `---` between them, or JSON (an array unless there is just one). */
export function layOutStream(input: LayoutInput): readonly OutputFile[] {
  const texts = input.objects.map((object) => writeObject(object, input)).filter((text) => text !== undefined);
  if (input.format === 'yaml') return [{ path: 'manifests.yaml', text: joinDocuments(texts) }];
  const json = texts.length === 1 ? texts[0]! : `[\n${texts.map((text) => indentJson(text, '  ')).join(',\n')}\n]\n`;
  return [{ path: 'manifests.json', text: texts.length === 0 ? '[]\n' : json }];
}
