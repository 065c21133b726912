import { newStop } from '../compile/code.ts';
import { runState, spendThrow } from '../run-state.ts';

/** Runs `body`, which may leave from however deep by calling `stop`. */
export function stopping(body: (stop: () => never) => void): void {
  const { depth } = runState;
  const signal = newStop();
  try {
    body(() => {
      spendThrow();
      throw signal;
    });
  } catch (thrown) {
    if (thrown !== signal) throw thrown;
    runState.depth = depth;
  }
}
