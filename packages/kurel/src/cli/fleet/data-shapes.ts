import { isJsonObject } from '../../model/index.ts';

/** Whether data that was parsed as JSON has the expected form. */
type Shape = (value: unknown) => boolean;

export const isText: Shape = (value) => typeof value === 'string';

export const isSwitch: Shape = (value) => typeof value === 'boolean';

/** A count, an index or an offset. */
export const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

export function oneOf(...words: readonly unknown[]): Shape {
  return (value) => words.includes(value);
}

export function listOf(shape: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(shape);
}

export function mapOf(shape: Shape): Shape {
  return (value) => isJsonObject(value) && Object.values(value).every(shape);
}

/** An object with these fields and no others: what nobody has checked, nobody should copy or print. */
export function fieldsOf(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const shapes = new Map(Object.entries({ ...optional, ...required }));
  const needed = Object.keys(required);
  return (value) =>
    isJsonObject(value) &&
    needed.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, inner]) => shapes.get(name)?.(inner) === true);
}

export const isPath: Shape = listOf((step) => isText(step) || isCount(step));

const isLocation = fieldsOf(
  { file: isText },
  {
    document: isCount,
    path: isPath,
    at: oneOf('key', 'value'),
    range: fieldsOf({ start: isCount, end: isCount }),
  },
);

/** A finding with this severity, after the pipeline has placed it. */
export function findingWith(severity: Shape): Shape {
  return fieldsOf(
    { code: (value) => typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value), severity, message: isText },
    {
      hint: isText,
      location: isLocation,
      related: listOf(fieldsOf({ message: isText, location: isLocation })),
      omitted: fieldsOf({ code: isText, count: isCount }),
      targets: listOf(isText),
      object: fieldsOf({ group: isText, kind: isText, namespace: isText, name: isText }),
    },
  );
}
