type Undo = (failuresSoFar: readonly unknown[]) => void;

/** Disk operations that can be undone, newest first. */
export interface UndoLog {
  /** Runs a step and records how to undo it. */
  act<T>(step: () => T, undo: (result: T) => void): T;
  /** Records an undo step that runs only if all later steps could be undone. */
  cleanUp(undo: () => void): void;
  /** Undoes everything and returns the failures. */
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
