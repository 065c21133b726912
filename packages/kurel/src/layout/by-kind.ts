import { pluralOf } from '../kube/index.ts';
import type { OutputFile } from '../model/index.ts';
import { fileStemOf } from './file-stem.ts';
import { layOutGroups } from './groups.ts';
import type { LayoutInput } from './layout.ts';

/** All objects of a kind in one file, called after the kind: `deployments`. */
export function layOutByKind(input: LayoutInput): readonly OutputFile[] {
  return layOutGroups(input, ({ kind }) => fileStemOf(pluralOf(kind).toLowerCase()));
}
