/** Results that earlier builds left for reuse, by content. Builds share these values, so they are never changed in place. */
export interface Memory {
  /** Returns the value created earlier for the same content, or creates it. Failures are not kept. */
  keep<Value>(keepsake: Keepsake<Value>): Value;
}

export interface Keepsake<Value> {
  /** The kind of value; contents are compared within a kind only. */
  readonly kind: string;
  /** Everything that the value depends on. */
  readonly content: string;
  readonly create: () => Value;
  /** The size of the value beyond its content, in characters. */
  readonly weigh?: ((value: Value) => number) | undefined;
}
