import { hideSecretValues } from '../../../diff/index.ts';
import { isJsonObject, isSameJson } from '../../../model/index.ts';
import type { Diagnostic, KubeObject, OutputFile, Path } from '../../../model/index.ts';

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

const isMention = fieldsOf({ setting: isText }, { value: isText, isAdvised: isSwitch, what: isText });

const isLocation = fieldsOf(
  { file: isText },
  {
    document: isCount,
    path: isPath,
    at: oneOf('key', 'value'),
    range: fieldsOf({ start: isCount, end: isCount }),
    setting: isMention,
  },
);

const isMessage: Shape = (value) => isText(value) || listOf((part) => isText(part) || isMention(part))(value);

/** A finding with this severity, after the pipeline has placed it. */
export function findingWith(severity: Shape): Shape {
  return fieldsOf(
    { code: (value) => typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value), severity, message: isText },
    {
      hint: isText,
      parts: fieldsOf({}, { message: isMessage, hint: isMessage }),
      location: isLocation,
      related: listOf(fieldsOf({ message: isText, location: isLocation })),
      omitted: fieldsOf({ code: isText, count: isCount }),
      targets: listOf(isText),
      object: fieldsOf({ group: isText, kind: isText, namespace: isText, name: isText }),
      isBrief: isSwitch,
    },
  );
}

/** What is kept of the result of a target. Plain data. */
export interface TargetFacts {
  readonly diagnostics: readonly Diagnostic[];
  readonly accepted: number;
  /** The entries of the fleet file that accepted findings. */
  readonly acceptedBy: readonly Path[];
  /** The objects that are written, each in one string. */
  readonly written?: readonly string[] | undefined;
}

/** A target as another run has built it, before its files were written. */
export interface CachedTarget extends TargetFacts {
  readonly name?: string | undefined;
  /** The subdirectory of the output directory that it writes to. */
  readonly directory: string;
  readonly files: readonly Pick<OutputFile, 'path' | 'text'>[];
}

// Findings quote the user; a server must not make a run print or search long texts.
const longestText = 64 * 1024;

const isEntry = fieldsOf(
  {
    diagnostics: listOf(findingWith(oneOf('warning', 'note'))),
    accepted: isCount,
    acceptedBy: listOf(isPath),
    directory: isText,
    files: listOf(fieldsOf({ path: isText, text: isText })),
  },
  { name: isText, written: listOf(isText) },
);

/**
 * Signed entries are ours, but an operator may also trust a cache without a key. The paths of files are
 * checked when they are written. A target with errors is never stored.
 */
export function isCachedTarget(data: unknown): data is CachedTarget {
  if (!isEntry(data)) return false;
  const { diagnostics } = data as CachedTarget;
  return diagnostics.every(({ message, hint = '', parts = {}, related = [] }) =>
    [message, hint, JSON.stringify(parts), ...related.map((place) => place.message)].every(
      (text) => text.length <= longestText,
    ),
  );
}

/** Whether an object has data that should not leave the machine without a decision of the user. */
export function hasSecretData(object: KubeObject): boolean {
  return !isSameJson(hideSecretValues(object), object);
}
