const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What has to be done before a signal may end the process, newest last. One list, because every listener is process-wide. */
const holds = new Set<Hold>();

interface Hold {
  cleanUp: () => void;
}

/**
 * Until the answer is called, a signal that would end the process waits for the event loop, and then for `cleanUp`; after
 * that it takes its course, unless somebody else listens for it too and so has taken over what it means.
 */
export function holdSignals(cleanUp: () => void = () => undefined): () => void {
  const hold: Hold = { cleanUp };
  // First in line, to see those that listen only once before they are gone.
  if (holds.size === 0) for (const signal of signals) process.prependListener(signal, onSignal);
  holds.add(hold);
  return () => {
    hold.cleanUp = () => undefined;
    // A signal that came during synchronous work is reported when the event loop polls next; without a listener then it would
    // be lost. The first turn may be one that has polled already.
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
      // Whoever sent the signal wants the end, and nobody is left to be told.
    }
  }
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function stopListening(): void {
  for (const signal of signals) process.off(signal, onSignal);
}
