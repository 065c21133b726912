/** Inputs that multiply, made from a few numbers. */
export interface Shape {
  readonly name: string;
  /** The least and the greatest value of each number, and where a search begins. */
  readonly numbers: Readonly<Record<string, readonly [least: number, most: number, start: number]>>;
  /** The words after `kurel`, and texts by path. */
  make(
    numbers: Readonly<Record<string, number>>,
  ): readonly [words: readonly string[], files: Readonly<Record<string, string>>];
}

export const shapes: readonly Shape[];

/** A CustomResourceDefinition of `Widget` in `example.com/v1`. */
export function definition(spec: object): object;
