import type { Location, Path, Values } from '../../model/index.ts';
import type { ParameterLayer } from '../layers.ts';
import type { Found, WrittenAt } from '../substitute.ts';
import type { ParameterDeclaration, ParameterType } from './declaration.ts';

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
