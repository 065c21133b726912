import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Location, Path } from '../../model/index.ts';
import { parseTemplate, wholeReference } from '../../parameters/index.ts';
import type { Reference, Template } from '../../parameters/index.ts';
import { enterField } from './traced-field.ts';
import type { TracedField } from './traced-field.ts';

/** A use of a parameter in a patch or manifest. */
export interface TracedReference {
  /** The steps to the parameter, as they were written. */
  readonly parameter: Path;
  /** What stands between the braces. */
  readonly text: string;
  readonly role: ReferenceRole;
  /** Where the value goes; `undefined` for names, and when nothing is known of the target. */
  readonly field: TracedField | undefined;
  readonly location: Location;
}

export type ReferenceRole =
  /** The value of the field is the value of the parameter, with its type. */
  | 'whole'
  /** The value stands in a text with others. */
  | 'part'
  /** In the name of an object or field, or in a selector. */
  | 'name'
  /** Says whether there is an object at all. */
  | 'enabled';

export type Take = (reference: TracedReference) => void;

export interface Tracing {
  readonly field: TracedField | undefined;
  readonly location: Location;
  readonly take: Take;
}

/** The references in a text that ends in a field. */
export function traceTemplate(template: Template, tracing: Tracing, role?: ReferenceRole): void {
  const whole = wholeReference(template);
  for (const part of template.parts) {
    if (typeof part !== 'string') takeReference(part, role ?? (part === whole ? 'whole' : 'part'), tracing);
  }
}

function takeReference({ path, text }: Reference, role: ReferenceRole, { field, location, take }: Tracing): void {
  if (path !== undefined) take({ parameter: path, text, role, field, location });
}

/** The references in data that ends in a field: each with the field that it ends in itself. */
export function traceData(data: Json, tracing: Tracing): void {
  if (typeof data === 'string') {
    if (data.includes('${')) traceTemplate(parseTemplate(data), tracing);
  } else if (isJsonArray(data)) {
    data.forEach((item, index) => traceData(item, enter(tracing, index)));
  } else if (isJsonObject(data)) {
    for (const [key, value] of Object.entries(data)) {
      const inside = enter(tracing, key);
      if (key.includes('${')) {
        const place = { ...inside, field: undefined, location: { ...inside.location, at: 'key' as const } };
        traceTemplate(parseTemplate(key), place, 'name');
      }
      traceData(value, inside);
    }
  }
}

function enter({ field, location, take }: Tracing, step: string | number): Tracing {
  return {
    field: field === undefined ? undefined : enterField(field, step),
    location: { ...location, path: [...(location.path ?? []), step] },
    take,
  };
}
