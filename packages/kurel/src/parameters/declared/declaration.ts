import type { Json, Location, Path } from '../../model/index.ts';

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
