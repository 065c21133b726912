import { gvkOf } from '../../kube/index.ts';
import type { Filter } from '../../model/index.ts';
import { pure } from '../steps.ts';

export function isKind(...kinds: readonly string[]): Filter {
  const wanted = new Set(kinds);
  return pure((object) => {
    if (wanted.has(object.kind)) return true;
    const type = gvkOf(object);
    if (type === undefined) return false;
    const { group, version, kind } = type;
    return wanted.has(group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`);
  });
}
