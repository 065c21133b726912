/** What earlier builds left to be used again, by content. Builds share the values in it: nothing changes them in place. */
export interface Memory {
  /** The value that was created for the same content; creates it when there is none. A failure is not kept. */
  keep<Value>(keepsake: Keepsake<Value>): Value;
}

export interface Keepsake<Value> {
  /** What sort of value it is; each sort has contents of its own. */
  readonly kind: string;
  /** Everything that the value depends on. */
  readonly content: string;
  readonly create: () => Value;
  /** How much the value takes beyond its content, in characters. */
  readonly weigh?: ((value: Value) => number) | undefined;
}
