import type { SourceFile } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import { prepareField } from '../apply/prepare-field.ts';
import type { PreparedField } from '../apply/prepared.ts';
import type { DataValue, FieldPatch, ScalarValue } from '../patch.ts';
import type { Holder, HolderSearch } from './find-holders.ts';
import { followPath, followSteps } from './follow-steps.ts';
import type { Followed } from './follow-steps.ts';
import { traceData, traceTemplate } from './trace-data.ts';
import type { Take } from './trace-data.ts';
import { templatesIn, traceNames } from './trace-names.ts';
import { enterField } from './traced-field.ts';

export interface TraceContext {
  readonly search: HolderSearch;
  readonly take: Take;
}

/** The uses of parameters in a field patch: in the names of its path, and in its value with the fields that it ends in. */
export function traceField(patch: FieldPatch, source: SourceFile, { search, take }: TraceContext): void {
  const { value, location } = patch;
  traceNames(patch.steps.flatMap(templatesIn), location, take);
  if (value.type === 'none') return;
  const entries = value.type === 'item' ? value.entries : [{ steps: [], value, location }];
  for (const entry of entries) traceNames(entry.steps.flatMap(templatesIn), entry.location, take);
  const prepared = prepareField(withoutValues(patch), { source, substitution: search.names });
  const holders = prepared === undefined ? [] : search.ofField(prepared);
  if (prepared !== undefined && isSwitch(prepared, holders[0]?.consumed ?? 0)) {
    for (const entry of entries) traceSimple(entry.value, undefined, { take, isSwitch: true });
    return;
  }
  for (const [index, entry] of entries.entries()) {
    const found = prepared === undefined ? [] : holders.map((holder) => followEntry(prepared, holder, index));
    const known = found.filter((one) => one !== undefined);
    // A use without a field is still a use.
    for (const followed of known.length === 0 ? [undefined] : known) {
      traceSimple(entry.value, followed, { take, isSwitch: false });
    }
  }
}

/** Where a path leads can be found out without the value, which may not even be defined. */
function withoutValues(patch: FieldPatch): FieldPatch {
  const { value } = patch;
  if (value.type !== 'item') return { ...patch, value: { type: 'none' } };
  const entries = value.entries.map(({ steps, location }) => ({
    steps,
    location,
    value: { type: 'data', data: null, location } as const,
  }));
  return { ...patch, value: { type: 'item', entries } };
}

function isSwitch({ patch, steps, operation }: PreparedField, consumed: number): boolean {
  const [only, ...more] = steps.slice(consumed);
  if (patch.target.type === 'all' || operation.type !== 'replace' || more.length > 0) return false;
  return only?.type === 'field' && !only.quoted && only.name === 'enabled';
}

/** The field of one entry of a patch; of an insertion, inside the new item. */
function followEntry({ steps, operation }: PreparedField, holder: Holder, index: number): Followed | undefined {
  const followed = followPath(steps.slice(holder.consumed), holder.object, holder.shape);
  if (followed === undefined || operation.type === 'replace' || operation.type === 'delete') return followed;
  const item = enterField(followed.field, 0);
  const { value } = operation;
  return value.type === 'item' ? followSteps(item, value.entries[index]!.steps) : { field: item, isImagePart: false };
}

function traceSimple(
  value: ScalarValue | DataValue,
  followed: Followed | undefined,
  { take, isSwitch }: { readonly take: Take; readonly isSwitch: boolean },
): void {
  const { location } = value;
  const tracing = { field: followed?.field, location, take };
  const role = isSwitch ? 'enabled' : followed?.isImagePart === true ? 'part' : undefined;
  if (value.type === 'scalar') traceTemplate(value.template, tracing, role);
  else if (role !== undefined && typeof value.data === 'string')
    traceTemplate(parseTemplate(value.data), tracing, role);
  else traceData(value.data, tracing);
}
