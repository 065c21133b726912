import { gvkOf } from '../../kube/index.ts';
import type { Filter } from '../../model/index.ts';
import { requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

export function isKind(...kinds: readonly string[]): Filter {
  requireStrings('the filter kind()', kinds);
  const wanted = new Set(kinds);
  return pure(
    (object) =>
      wanted.has(object.kind) || (gvkOf(object) !== undefined && wanted.has(`${object.apiVersion}/${object.kind}`)),
  );
}
