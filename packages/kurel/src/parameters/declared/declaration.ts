import type { Json, Location, Path, Values } from '../../model/index.ts';
import type { ParameterLayer } from '../layers.ts';
import type { Found, WrittenAt } from '../substitute.ts';

export const parameterTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

export type ParameterType = (typeof parameterTypes)[number];

/** What a value must be, with the meaning that JSON Schema gives the words. */
export interface ParameterSchema {
  /** Always there for a parameter itself; what has none inside one takes any value. */
  readonly type?: ParameterType;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly pattern?: Pattern;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly items?: ParameterSchema;
  readonly properties?: ReadonlyMap<string, ParameterSchema>;
  /** Keys that a mapping must have. */
  readonly requiredKeys?: readonly string[];
}

export interface Pattern {
  readonly text: string;
  readonly matches: (text: string) => boolean;
}

/** One entry of `spec.parameters` in kurel.yaml. */
export interface ParameterDeclaration extends ParameterSchema {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** Of the declared type, but for texts that refer to other parameters. `undefined` when there is none. */
  readonly default: Json | undefined;
  /** A number or boolean of the default as it was written. */
  readonly writtenAt: (path: Path) => string | undefined;
  /** Of the entry in the list. */
  readonly location: Location;
}

export function isStructure(type: ParameterType | undefined): type is 'array' | 'object' {
  return type === 'array' || type === 'object';
}

/** Where a value, or a part of one, was given. */
export interface DeclaredOrigin {
  /** `package` is what the package itself says: its name. */
  readonly from: 'layer' | 'default' | 'package';
  readonly layer?: ParameterLayer;
  readonly location: Location;
}

export interface DeclaredValue extends Found {
  readonly name: string;
  readonly type: ParameterType;
  /** The parameters that a default is made of, each once. */
  readonly refersTo: readonly string[];
  /** The path leads into the value. */
  readonly originAt: (path: Path) => DeclaredOrigin;
  /** Where a reference in a default stands for a number or boolean. */
  readonly scalars: () => readonly Path[];
  readonly writtenAt: WrittenAt;
}

export interface DeclaredValues {
  readonly declarations: readonly ParameterDeclaration[];
  /** Those that have a value, `name` among them also where it is not declared. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
}

/** Declared parameters as patches see them: values by name, where a name may have dots in it. */
export function tabulateDeclared(parameters: DeclaredValues | undefined): {
  readonly values: Values;
  readonly writtenAt: WrittenAt;
  readonly hasDottedNames: true;
} {
  const found = parameters?.values;
  return {
    values: Object.fromEntries(Array.from(found ?? [], ([name, { value }]) => [name, value])),
    writtenAt: ([name, ...inside]) => found?.get(String(name))?.writtenAt(inside),
    hasDottedNames: true,
  };
}
