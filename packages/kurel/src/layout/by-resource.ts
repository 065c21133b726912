import { nameOf, namespaceOf, pluralOf } from '../kube/index.ts';
import type { OutputFile } from '../model/index.ts';
import { fileStemOf } from './file-stem.ts';
import type { LayoutInput } from './layout.ts';
import { layOutOneFileEach } from './one-file-each.ts';

/** One object a file, `<name>[-<namespace>]`, in a directory for each kind. */
export function layOutByResource(input: LayoutInput): readonly OutputFile[] {
  return layOutOneFileEach(input, (object) => {
    const namespace = namespaceOf(object);
    const stem = fileStemOf(nameOf(object), ...(namespace === '' ? [] : [namespace]));
    return `${fileStemOf(pluralOf(object.kind).toLowerCase())}/${stem}`;
  });
}
