import { getOrAdd, spend } from '../../budget/index.ts';
import { describeType, nearest } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Path } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import type { FieldPatch } from '../patch.ts';
import { findDescription, formatPath } from './format-path.ts';
import { valueInside } from './find-places.ts';
import type { PathFailure } from './find-places.ts';
import type { ObjectPatching } from './patch-run.ts';
import type { KindShape } from './kind-shape.ts';
import { placeOfStep } from './prepare-field.ts';
import { applyProblems } from './problems.ts';

// A patch for thousands of objects looks up the same name for each.
const nearNames = new WeakMap<SchemaNode, Map<string, string | undefined>>();

/** Also considers the fields that a short path may start with. */
function findNear(path: Path, node: SchemaNode, shape: KindShape): string | undefined {
  const isShort = path.length === 2 && path[0] === 'spec';
  const name = String(path.at(-1));
  if (isShort) return nearest(name, [...node.propertyNames, ...shape.rootFields, ...shape.podFields]);
  const names = getOrAdd(nearNames, node, () => new Map<string, string | undefined>());
  if (!names.has(name)) names.set(name, nearest(name, node.propertyNames));
  return names.get(name);
}

/** The sibling that has the field: `containers` of a pod template are in its `spec`. */
function findHolder(path: Path, node: SchemaNode): string | undefined {
  const name = String(path.at(-1));
  const holders = node.propertyNames.filter((holder) => node.property(holder)?.propertyNames.includes(name));
  return holders.length === 1 ? formatPath([...path.slice(0, -1), holders[0]!]) : undefined;
}

const changesOfFailure = 4;

/** Reports a path failure; a header that does not exist is reported once, not for every entry below it. */
export function reportFailure(
  failure: Exclude<PathFailure, { readonly type: 'unknown' }>,
  patching: ObjectPatching,
  { location, text }: Pick<FieldPatch, 'location' | 'text'>,
): void {
  // Explaining a failure costs more than a change.
  spend(patching.run.budget, 'changes', changesOfFailure, () => location);
  const { key: object, report, reportOnce, run, shape } = patching;
  const path = failure.path.length === 0 ? object : formatPath(failure.path);
  const place = { location: placeOfStep(location, failure.step) };
  switch (failure.type) {
    case 'nothing': {
      const args = { what: text, reason: `${path} of ${object} has no items` };
      return reportOnce(applyProblems.create('patch-no-match', args, place));
    }
    case 'not-a-list':
    case 'not-an-object': {
      const wanted = failure.type === 'not-a-list' ? 'a list' : 'an object';
      const args = { path, object, actual: describeType(failure.value), wanted };
      return reportOnce(applyProblems.create('path-type-mismatch', args, place));
    }
    case 'list-missing': {
      const { node, path: wanted } = failure;
      const holder = node && findHolder(wanted, node);
      const near = node && holder === undefined ? findNear(wanted, node, shape) : undefined;
      return reportOnce(applyProblems.create('list-not-found', { path, object, near, holder }, place));
    }
    case 'index-or-key': {
      return reportOnce(applyProblems.create('index-or-key', { name: failure.name, path, object }, place));
    }
    case 'index': {
      const args = { index: String(failure.index), path, length: failure.length, does: 'replace' as const };
      return report(applyProblems.create('index-out-of-range', args, place));
    }
    case 'no-match': {
      const [condition] = failure.match.conditions;
      const candidates = failure.list
        .filter(isJsonObject)
        .map((item) => valueInside(item, condition!.path))
        .filter((value) => value !== undefined && typeof value !== 'object')
        .map((value) => `${condition!.path.join('.')}=${String(value)}`);
      const args = { selector: findDescription(failure.match), path, object, candidates };
      const severity = run.options.missingPath === 'warning' ? ('warning' as const) : ('error' as const);
      return reportOnce(applyProblems.create('selector-no-match', args, { ...place, severity }));
    }
  }
}
