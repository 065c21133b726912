import { nameOf, namespaceOf } from '../kube/index.ts';
import type { OutputFile } from '../model/index.ts';
import { fileStemOf } from './file-stem.ts';
import type { LayoutInput } from './layout.ts';
import { layOutOneFileEach } from './one-file-each.ts';

/** One object a file, `[NNN-]<kind>-<name>[-<namespace>]`, all in one directory. */
export function layOutFlat(input: LayoutInput): readonly OutputFile[] {
  const { objects, options } = input;
  const width = Math.max(3, String(objects.length).length);
  return layOutOneFileEach(input, (object, index) => {
    const namespace = namespaceOf(object);
    const stem = fileStemOf(object.kind.toLowerCase(), nameOf(object), ...(namespace === '' ? [] : [namespace]));
    return options?.index === true ? `${String(index + 1).padStart(width, '0')}-${stem}` : stem;
  });
}
