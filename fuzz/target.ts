/** Something that is tried with many texts. */
export interface Target {
  readonly name: string;
  /** What it holds, in one line, for people. */
  readonly promise: string;
  /** Texts to begin with, beside those that were kept from earlier runs. */
  readonly seeds: () => readonly string[];
  /** Words of its grammar. */
  readonly tokens: readonly string[];
  /** Whether the texts are files of YAML, whose data is changed as well. */
  readonly isData?: boolean;
  /** In UTF-16 units; nothing longer is tried. */
  readonly maxLength?: number;
  /** How many texts are tried between two looks at what was reached; fewer where each takes long. */
  readonly batch?: number;
  /** Executions of the short run that every test run makes. */
  readonly short: number;
  /** Throws when the promise is broken, and never otherwise. */
  readonly run: (text: string) => void | Promise<void>;
}

/** A promise that does not hold. Every other error that leaves a target is one too: nothing but this was expected. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export function check(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new BrokenPromise(promise);
}

/** Runs what may refuse its input, in the way that it says it does; gives nothing when it does. */
export function attempt<T>(action: () => T, isRefusal: (error: unknown) => boolean): T | undefined {
  try {
    return action();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
