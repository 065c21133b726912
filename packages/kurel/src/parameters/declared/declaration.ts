import type { Json, Location, Path, Values } from '../../model/index.ts';
import type { ParameterLayer } from '../layers.ts';
import type { Found, WrittenAt } from '../substitute.ts';

export const parameterTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

export type ParameterType = (typeof parameterTypes)[number];

/** What a value must be; the keywords have their JSON Schema meaning. */
export interface ParameterSchema {
  /** Always set for a parameter itself; a part without a type accepts any value. */
  readonly type?: ParameterType;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly pattern?: Pattern;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly items?: ParameterSchema;
  readonly properties?: ReadonlyMap<string, ParameterSchema>;
  /** Required keys of an object. */
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
  /** Has the declared type, except for strings that refer to other parameters. `undefined` if there is no default. */
  readonly default: Json | undefined;
  /** A number or boolean of the default as written. */
  readonly writtenAt: (path: Path) => string | undefined;
  /** Location of the entry in the list. */
  readonly location: Location;
}

export function isStructure(type: ParameterType | undefined): type is 'array' | 'object' {
  return type === 'array' || type === 'object';
}

/** Where a value, or a part of one, was set. */
export interface DeclaredOrigin {
  /** `package` means that the package itself provides the value: its name. */
  readonly from: 'layer' | 'default' | 'package';
  readonly layer?: ParameterLayer;
  readonly location: Location;
}

export interface DeclaredValue extends Found {
  readonly name: string;
  readonly type: ParameterType;
  /** The parameters that a default refers to, each once. */
  readonly refersTo: readonly string[];
  /** The path is relative to the value. */
  readonly originAt: (path: Path) => DeclaredOrigin;
  /** Where a reference in a default was replaced by a number or boolean. */
  readonly scalars: () => readonly Path[];
  readonly writtenAt: WrittenAt;
}

export interface DeclaredValues {
  readonly declarations: readonly ParameterDeclaration[];
  /** Parameters with a value; includes `name` even if it is not declared. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
}

/** Declared parameters as patches see them: values by name; names may contain dots. */
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
