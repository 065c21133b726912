const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Clean-up before a signal ends the process, newest last. One list, because signal listeners are process-wide. */
const holds = new Set<Hold>();

interface Hold {
  cleanUp: () => void;
}

/**
 * Delays signals that end the process until the event loop is free and `cleanUp` has run, and then raises them again, unless there are
 * other listeners. Call the result to stop.
 */
export function holdSignals(cleanUp: () => void = () => undefined): () => void {
  const hold: Hold = { cleanUp };
  // Runs before other listeners, to count those that are removed after their first call.
  if (holds.size === 0) for (const signal of signals) process.prependListener(signal, onSignal);
  holds.add(hold);
  return () => {
    hold.cleanUp = () => undefined;
    // Node reports a signal from synchronous work when the event loop polls next, and would lose it without a listener. Two turns,
    // because the current one may already have polled.
    setImmediate(() => {
      setImmediate(() => {
        if (holds.delete(hold) && holds.size === 0) stopListening();
      });
    });
  };
}

function onSignal(signal: NodeJS.Signals): void {
  const waiting = [...holds].toReversed();
  holds.clear();
  stopListening();
  for (const { cleanUp } of waiting) {
    try {
      cleanUp();
    } catch {
      // The process is about to end, so an error cannot be reported anymore.
    }
  }
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function stopListening(): void {
  for (const signal of signals) process.off(signal, onSignal);
}
