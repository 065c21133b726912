import { getOrAdd } from '../../../budget/index.ts';
import { identityOf, nameOf } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, isSameJson, valueAt } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import { keepParts } from '../application-parts.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { composeApplication } from '../compose/compose-application.ts';
import type { ComposedObject, CompositionInput } from '../compose/composition.ts';
import { clusterProfileTables, fieldIn } from '../../../documents/index.ts';
import type { Field, Fields } from '../../../documents/index.ts';
import { putAt } from '../pods/change-pods.ts';
import { listKeys, listLeaves, withLeaf } from './input-leaf.ts';
import type { InputLeaf } from './input-leaf.ts';

/** The values that determine a field of an object; none if only the handler does, `unknown` if finding out would take too long. */
export type CausesOf = (composed: ComposedObject, path: Path) => readonly InputLeaf[] | 'unknown';

/** Limit on the number of values recomposed in total: the time of an experiment grows with the square of its input. */
const mostWork = 500_000;
/** The fixed cost of a composition, in values. */
const workOfComposition = 30;

/**
 * Finds the causes of a field by experiment. A composition is a pure function, so each value of its input is changed in
 * turn, and the fields that differ are those it determines. Handlers need no bookkeeping and cannot get it wrong. Only the
 * components involved in an object are composed again, and only on request.
 */
export function createFindCauses(input: CompositionInput): CausesOf {
  const experiments = new Map<string, CausesOf>();
  const allowance = { left: mostWork };
  return (composed, path) => {
    // The first of several components with a shared source creates it, so their order must be kept.
    const components = composed.components.toSorted((a, b) => a - b);
    const key = components.join();
    const experiment = getOrAdd(experiments, key, () => runExperiment(input, components, allowance));
    return experiment(composed, path);
  };
}

function runExperiment(whole: CompositionInput, components: readonly number[], allowance: { left: number }): CausesOf {
  const { pathBefore, ...application } = keepParts(whole.application, (list) =>
    list.at(-1) === 'components' ? components : undefined,
  );
  const policy = whole.policy && { ...whole.policy, data: withoutHosts(whole.policy.data) };
  const input = { ...whole, application, policy, checkKubernetes: undefined, report: () => {}, isDraft: true };
  const leaves = listLeaves(input);
  const keys = listKeys(input);
  const count = leaves.length + keys.length;
  const work = count * (count + workOfComposition);
  if (work > allowance.left) return () => 'unknown';
  allowance.left -= work;
  const base = composeApplication(input)?.objects ?? [];
  const causes = base.map(() => new Map<string, InputLeaf[]>());
  for (const leaf of leaves) tryOthers(leaf, (index, path) => addCause(index, path, leaf));
  const ofValues = causes.map((ofObject) => new Set(ofObject.keys()));
  for (const leaf of keys) {
    // A changed key renames every field below it, so fields that a value determines are attributed to the value.
    tryOthers(leaf, (index, path) => {
      if (!ofValues[index]!.has(path)) addCause(index, path, leaf);
    });
  }
  const positions = new Map(base.map(({ object }, index) => [identityOf(object), index]));
  return ({ object }, path) => {
    const leaves = causes[positions.get(identityOf(object)) ?? -1]?.get(JSON.stringify(path)) ?? [];
    // A default has no effect on a property that the platform sets.
    const written = new Set(leaves.flatMap(({ isDefault, path: place }) => (isDefault === true ? [] : [place.at(-1)])));
    return leaves.filter(({ isDefault, path: place }) => isDefault !== true || !written.has(place.at(-1)));
  };

  function addCause(index: number, path: string, leaf: InputLeaf): void {
    const placed = leaf.input === 'application' ? { ...leaf, path: pathBefore(leaf.path) } : leaf;
    getOrAdd(causes[index]!, path, () => []).push(placed);
  }

  /** Tries other values until a field differs. */
  function tryOthers(leaf: InputLeaf, onChange: (index: number, path: string) => void): void {
    for (const value of otherValues(leaf, input.catalog)) {
      const others = compose(withLeaf(input, leaf, value));
      if (others === undefined) continue;
      const paired = pairObjects(base, others);
      let isFelt = false;
      for (const [index, { object }] of base.entries()) {
        findChanged(object, paired[index]?.object, (path) => {
          isFelt = true;
          onChange(index, JSON.stringify(path));
        });
      }
      if (isFelt) return;
    }
  }
}

/** `undefined` if the value is rejected. */
function compose(input: CompositionInput): readonly ComposedObject[] | undefined {
  let isRead = true;
  const report: CompositionInput['report'] = ({ code, severity }) => {
    if (severity === 'error' && /^(?:document|field|list|capability)-/.test(code)) isRead = false;
  };
  const composition = composeApplication({ ...input, report, isDraft: true });
  return isRead ? composition?.objects : undefined;
}

/** Lists of allowed hosts can be long and only cause rejections. */
function withoutHosts(policy: Json): Json {
  const enforced = valueAt(policy, ['spec', 'enforced']);
  if (!isJsonObject(enforced)) return policy;
  const { allowedRegistries: _registries, allowedSources: _sources, ...rest } = enforced;
  return putAt(policy, ['spec', 'enforced'], rest);
}

/** The objects of another run, in the order of this one; `undefined` where one is missing. */
function pairObjects(
  objects: readonly ComposedObject[],
  others: readonly ComposedObject[],
): readonly (ComposedObject | undefined)[] {
  const isSame = (a: ComposedObject, b: ComposedObject | undefined): boolean =>
    b !== undefined && a.object.kind === b.object.kind && a.type === b.type;
  if (objects.length === others.length && objects.every((entry, index) => isSame(entry, others[index]))) return others;
  return objects.map((entry) =>
    others.find((other) => isSame(entry, other) && nameOf(entry.object) === nameOf(other.object)),
  );
}

/** The leaves of `before` that differ in `after`. */
function findChanged(before: Json, after: Json | undefined, onChange: (path: Path) => void, path: Path = []): void {
  if (before === after) return;
  if (isJsonArray(before) && before.length > 0) {
    const items = isJsonArray(after) ? after : [];
    for (const [index, item] of before.entries()) findChanged(item, items[index], onChange, [...path, index]);
  } else if (isJsonObject(before) && Object.keys(before).length > 0) {
    const fields = isJsonObject(after) ? after : {};
    for (const [key, value] of Object.entries(before)) {
      findChanged(value, Object.hasOwn(fields, key) ? fields[key] : undefined, onChange, [...path, key]);
    }
  } else if (!isSameJson(before, after)) onChange(path);
}

/** Longer strings do not end in a meaningful number. */
const longest = 10_000;

/**
 * Alternatives for a value, the most likely to be valid first. The last number in a string is incremented, which keeps
 * versions, quantities, durations, hosts and times valid.
 */
export function otherValues({ value, path, input }: InputLeaf, catalog: Catalog): readonly Json[] {
  switch (typeof value) {
    case 'boolean':
      return [!value];
    case 'number':
      return [value + 1, value - 1, value * 2];
    case 'bigint':
      return [value + 1n];
    case 'string': {
      const raised = value.length > longest ? value : raiseLastNumber(value);
      const words = input === 'profile' ? wordsIn(profileFields, path) : [];
      const others = [...words, ...wordsAt(path, catalog)].filter((word) => word !== value);
      return [...others, ...(raised === value ? [] : [raised]), `${value}x`, `x${value}`];
    }
    default:
      // An empty list or object: try without it.
      return value === null ? [] : [null];
  }
}

/** A regular expression would rescan the end of the string for every digit. */
function raiseLastNumber(text: string): string {
  const isDigit = (at: number): boolean => at >= 0 && text[at]! >= '0' && text[at]! <= '9';
  let end = text.length;
  while (end > 0 && !isDigit(end - 1)) end -= 1;
  let start = end;
  while (isDigit(start - 1)) start -= 1;
  return start === end ? text : `${text.slice(0, start)}${BigInt(text.slice(start, end)) + 1n}${text.slice(end)}`;
}

const profileFields: Fields = { spec: clusterProfileTables.spec };

/** The allowed values of a property with an enum: any other value would be rejected. */
function wordsAt(path: Path, catalog: Catalog): readonly string[] {
  const start = path.findIndex((step) => step === 'properties' || step === 'rendering');
  if (start === -1) return [];
  const handlers = [...catalog.components.values(), ...catalog.traits.values()];
  const words = handlers.flatMap(({ properties }) => wordsIn(properties, path.slice(start + 1)));
  return [...new Set(words)];
}

function wordsIn(fields: Fields, path: Path): readonly string[] {
  let field: Field | undefined = { type: 'object', properties: fields };
  for (const step of path) field = field && fieldIn(field, step);
  return field?.enum ?? [];
}
