import { isJsonObject, valueAt } from '../../model/index.ts';
import type { Json, Path, Report } from '../../model/index.ts';
import { createFinding } from '../../schema/index.ts';
import { readLexeme } from '../read-lexeme.ts';
import { formatReferencePath } from '../references.ts';
import { checkValue } from './check-value.ts';
import type { Supplied } from './collect-supplied.ts';
import type { DeclaredValue, ParameterDeclaration, ParameterSchema } from './declaration.ts';

/** Whether values for a parameter are merged over its default instead of replacing it. */
export function mergesOverDefault({ type, default: otherwise }: ParameterDeclaration): boolean {
  return type === 'object' && otherwise !== undefined;
}

/** Checks only the part that was set: missing keys may be in the default, and `null` removes keys of the default. */
export function checkPart(declaration: ParameterDeclaration, supplied: Supplied, report: Report): void {
  const value = withoutNulls(supplied.value);
  checkValue(value, { ...checkingOf(declaration, supplied, report), schema: partOf(declaration) });
}

/** The value that was set, merged over the default. */
export function mergeOverDefault(
  declaration: ParameterDeclaration,
  { supplied, base, report }: { readonly supplied: Supplied; readonly base: DeclaredValue; readonly report: Report },
): DeclaredValue {
  const data = supplied.over(base.value);
  const { isGivenAt, originAt } = supplied;
  const writtenAt = (path: Path): string | undefined => {
    if (!isGivenAt(path)) return base.writtenAt(path);
    const { layer, location } = originAt(path);
    return readLexeme(layer.source, location, valueAt(data, path));
  };
  const checking = checkingOf(declaration, supplied, report);
  const textAt: typeof checking.textAt = (path, scalar) =>
    isGivenAt(path) ? checking.textAt(path, scalar) : (base.writtenAt(path) ?? String(scalar));
  return {
    ...base,
    value: checkValue(data, { ...checking, textAt, schema: declaration }),
    originAt: (path) => (isGivenAt(path) ? { from: 'layer', ...originAt(path) } : base.originAt(path)),
    scalars: () => base.scalars().filter((path) => !isGivenAt(path)),
    writtenAt,
  };
}

/** The options for checking a value that was set. */
export function checkingOf({ name }: ParameterDeclaration, supplied: Supplied, report: Report) {
  return {
    path: [],
    textAt(path: Path, scalar: number | bigint | boolean): string | undefined {
      const { layer, location } = supplied.originAt(path);
      return readLexeme(layer.source, location, scalar);
    },
    namePath: (path: Path) => formatReferencePath([name, ...path]),
    refuse: ({ finding }: { readonly finding: Parameters<typeof createFinding>[0] }) =>
      report(createFinding(finding, (path) => supplied.originAt(path).location)),
  };
}

/** The rules for a part of an object that apply regardless of its other keys. */
export function partOf(schema: ParameterSchema): ParameterSchema {
  if (schema.type !== 'object') return schema;
  const { requiredKeys: _, enum: __, properties, ...rest } = schema;
  return properties === undefined
    ? rest
    : { ...rest, properties: new Map(Array.from(properties, ([key, inside]) => [key, partOf(inside)])) };
}

function withoutNulls(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, inside]) => inside !== null);
  return Object.fromEntries(entries.map(([key, inside]) => [key, withoutNulls(inside)]));
}
