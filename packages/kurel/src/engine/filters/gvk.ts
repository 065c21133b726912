import type { Filter, GroupVersionKind } from '../../model/index.ts';
import { gvkOf, parseGroupVersionKind } from '../../kube/index.ts';
import { EngineError } from '../errors.ts';
import { requireMap, requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

// In the engine's design: `gvk.Filter`.
export function isGroupVersionKind(...types: readonly (GroupVersionKind | `${string}/${string}`)[]): Filter {
  const wanted = types.map((type) => (typeof type === 'string' ? parseType(type) : copyType(type)));
  return pure((object) => {
    const own = gvkOf(object);
    if (own === undefined) return false;
    return wanted.some(
      ({ group, version, kind }) => own.group === group && own.version === version && own.kind === kind,
    );
  });
}

function copyType(type: GroupVersionKind): GroupVersionKind {
  requireMap('the filter gvk()', type);
  const { group, version, kind } = type;
  requireStrings('the filter gvk()', [group, version, kind]);
  return { group, version, kind };
}

function parseType(text: string): GroupVersionKind {
  const type = parseGroupVersionKind(text);
  if (type !== undefined) return type;
  throw new EngineError(`${JSON.stringify(text)} is not a type: write apps/v1/Deployment or v1/Service`, {
    code: 'invalid-type',
  });
}
