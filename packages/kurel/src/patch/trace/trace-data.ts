import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Location, Path } from '../../model/index.ts';
import { parseTemplate, wholeReference } from '../../parameters/index.ts';
import type { Reference, Template } from '../../parameters/index.ts';
import { enterField } from './traced-field.ts';
import type { TracedField } from './traced-field.ts';

/** A use of a parameter in a patch or manifest. */
export interface TracedReference {
  /** Path of the parameter, as written. */
  readonly parameter: Path;
  /** The reference without its braces. */
  readonly text: string;
  readonly role: ReferenceRole;
  /** The field that receives the value; `undefined` for names, and if the kind is unknown. */
  readonly field: TracedField | undefined;
  readonly location: Location;
}

export type ReferenceRole =
  /** The field gets the value of the parameter, with its type. */
  | 'whole'
  /** The value is part of a longer string. */
  | 'part'
  /** Part of the name of an object or field, or of a selector. */
  | 'name'
  /** Decides whether the object is part of the output. */
  | 'enabled';

export type Take = (reference: TracedReference) => void;

export interface Tracing {
  readonly field: TracedField | undefined;
  readonly location: Location;
  readonly take: Take;
}

/** Traces the references in a string that ends in a field. */
export function traceTemplate(template: Template, tracing: Tracing, role?: ReferenceRole): void {
  const whole = wholeReference(template);
  for (const part of template.parts) {
    if (typeof part !== 'string') takeReference(part, role ?? (part === whole ? 'whole' : 'part'), tracing);
  }
}

function takeReference({ path, text }: Reference, role: ReferenceRole, { field, location, take }: Tracing): void {
  if (path !== undefined) take({ parameter: path, text, role, field, location });
}

/** Traces the references in data, each with the field that it ends in. */
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
