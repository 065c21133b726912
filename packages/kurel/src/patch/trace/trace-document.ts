import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import { parsePointer } from '../json-patch/parse-pointer.ts';
import type { DocumentPatch } from '../patch.ts';
import { traceData } from './trace-data.ts';
import type { Tracing } from './trace-data.ts';
import type { TraceContext } from './trace-field.ts';
import { traceNames } from './trace-names.ts';
import { enterField, rootFieldOf } from './traced-field.ts';
import type { TracedField } from './traced-field.ts';

/** The uses of parameters in a document that is merged, or in the operations of a JSON Patch. */
export function traceDocumentPatch(patch: DocumentPatch, { search, take }: TraceContext): void {
  const { type, location, document } = patch;
  const roots = search.ofDocument(patch).map(({ object, shape }) => rootFieldOf(object, shape));
  for (const field of roots.length === 0 ? [undefined] : roots) {
    const tracing = { field, location, take };
    if (type !== 'json') traceData(document, tracing);
    else if (isJsonArray(document)) document.forEach((operation, index) => traceOperation(operation, index, tracing));
  }
}

function traceOperation(operation: Json, index: number, { field, location, take }: Tracing): void {
  if (!isJsonObject(operation)) return;
  for (const [key, value] of Object.entries(operation)) {
    const inside = { ...location, path: [...(location.path ?? []), index, key] };
    if (key === 'value') traceData(value, { field: followPointer(field, operation['path']), location: inside, take });
    else if (typeof value === 'string') traceNames([parseTemplate(value)], inside, take);
  }
}

function followPointer(root: TracedField | undefined, path: Json | undefined): TracedField | undefined {
  const steps = typeof path === 'string' ? parsePointer(path) : undefined;
  if (root === undefined || !Array.isArray(steps)) return undefined;
  return steps.reduce<TracedField>((field, step) => enterField(field, field.node?.type === 'list' ? 0 : step), root);
}
