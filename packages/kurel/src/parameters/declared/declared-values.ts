import type { Json, Location, Path } from '../../model/index.ts';
import type { ParameterLayer } from '../layers.ts';
import type { ParameterDeclaration, ParameterType } from './declaration.ts';

/** Where a value, or a part of one, was given. */
export interface DeclaredOrigin {
  /** `package` is what the package itself says: its name. */
  readonly from: 'layer' | 'default' | 'package';
  readonly layer?: ParameterLayer;
  readonly location: Location;
}

export interface DeclaredValue {
  readonly name: string;
  readonly type: ParameterType;
  readonly value: Json;
  /** The parameters that a default is made of, each once. */
  readonly refersTo: readonly string[];
  /** The path leads into the value. */
  readonly originAt: (path: Path) => DeclaredOrigin;
  /** What references in a default stand for. */
  readonly parts: () => readonly ValuePart[];
  /** A number or boolean in it as it was written, `1.10`, where that is known and no reference stands for it. */
  readonly writtenAt: (path: Path, value: number | bigint | boolean) => string | undefined;
}

export interface ValuePart {
  readonly path: Path;
  readonly value: DeclaredValue;
}

export interface DeclaredValues {
  readonly declarations: readonly ParameterDeclaration[];
  /** Those that have a value, `name` among them also where it is not declared. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
}
