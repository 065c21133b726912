import type { OutputFile } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { printObject } from './print-object.ts';

/** All objects in one text: YAML documents with `---` between them, or JSON (an array unless there is just one). */
export function layOutStream({ objects, origins, format }: LayoutInput): readonly OutputFile[] {
  if (format === 'json') {
    return [{ path: 'manifests.json', text: `${writeJson(objects.length === 1 ? objects[0]! : objects)}\n` }];
  }
  const texts = objects.map((object) => printObject(object, origins.get(object)));
  return [{ path: 'manifests.yaml', text: texts.join('---\n') }];
}
