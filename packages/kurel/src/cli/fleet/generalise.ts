import type { FleetTarget } from '../../fleet/index.ts';
import { canonicalJson, isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

type Named = Pick<FleetTarget, 'name' | 'application' | 'cluster'>;

/** Replaces the names of a target by the placeholders of fleet files. */
export type Generalise = (text: string) => string;

/** Names that only one of the two sides has are part of the change, and stay. */
export function generaliserFor(target: Named, other: Named = target): Generalise {
  const named = [
    [target.cluster, other.cluster, '{cluster}'],
    [target.application, other.application, '{app}'],
    [target.name, other.name, '{target}'],
  ] as const;
  const placeholders = new Map(
    named.flatMap(([name, same, placeholder]) =>
      name !== undefined && name === same ? [[name, placeholder] as const] : [],
    ),
  );
  // A name with an application and a cluster is made of them.
  if (target.cluster !== undefined && target.application !== undefined) placeholders.delete(target.name);
  if (placeholders.size === 0) return (text) => text;
  const names = [...placeholders.keys()].toSorted((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${names.join('|')})(?![A-Za-z0-9])`, 'g');
  return (text) => text.replace(pattern, (name) => placeholders.get(name)!);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** A change of one target. */
export interface TargetChange<Change> {
  readonly change: Change;
  readonly target: string;
  readonly generalise: Generalise;
}

/** Changes that only differ in the names of their targets, each once: as they are if they are the same, and otherwise with placeholders. */
export function groupAlike<Change extends object>(
  changes: readonly TargetChange<Change>[],
): readonly (Change & { readonly targets: readonly string[] })[] {
  const groups = new Map<string, { general: Change; readonly exact: Change; isSame: boolean; targets: string[] }>();
  for (const { change, target, generalise } of changes) {
    const general = mapStrings(change as unknown as Json, generalise);
    const group = groups.get(canonicalJson(general));
    if (group === undefined) {
      const added = { general: general as unknown as Change, exact: change, isSame: true, targets: [target] };
      groups.set(canonicalJson(general), added);
      continue;
    }
    group.isSame &&= canonicalJson(change as unknown as Json) === canonicalJson(group.exact as unknown as Json);
    if (group.targets.at(-1) !== target) group.targets.push(target);
  }
  return Array.from(groups.values(), ({ general, exact, isSame, targets }) =>
    Object.assign({}, isSame ? exact : general, { targets }),
  );
}

function mapStrings(value: Json, map: Generalise): Json {
  if (typeof value === 'string') return map(value);
  if (isJsonArray(value)) return value.map((item) => mapStrings(item, map));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [map(key), mapStrings(inner, map)]));
}
