const idleMs = 200;
const maxRounds = 10;

/**
 * Acts once `readBytes` has not grown for a moment, or after some moments in any case; gives up when it answers `undefined`.
 * The clock alone is no proof: after a long computation timers run before what waits in the pipes is read.
 */
export function waitForSilence(readBytes: () => number | undefined, act: () => void, round = 1): void {
  const before = readBytes();
  if (before === undefined) return;
  const timer = setTimeout(() => {
    setImmediate(() => {
      const now = readBytes();
      if (now === undefined) return;
      if (now === before || round === maxRounds) act();
      else waitForSilence(readBytes, act, round + 1);
    });
  }, idleMs);
  timer.unref();
}
