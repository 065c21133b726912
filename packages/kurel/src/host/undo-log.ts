type Undo = (failuresSoFar: readonly unknown[]) => void;

/** Steps on the disk that can be taken back, newest first. */
export interface UndoLog {
  /** Does a step and remembers how to take it back. */
  act<T>(step: () => T, undo: (result: T) => void): T;
  /** Runs last in its place of the order, and only when everything before could be taken back. */
  cleanUp(undo: () => void): void;
  /** Takes everything back and returns what could not be. */
  takeBack(): readonly unknown[];
}

export function createUndoLog(): UndoLog {
  const undos: Undo[] = [];
  return {
    act(step, undo) {
      const result = step();
      undos.push(() => undo(result));
      return result;
    },
    cleanUp(undo) {
      undos.push((failures) => {
        if (failures.length === 0) undo();
      });
    },
    takeBack() {
      const failures: unknown[] = [];
      for (const undo of undos.reverse()) {
        try {
          undo(failures);
        } catch (error) {
          failures.push(error);
        }
      }
      return failures;
    },
  };
}
