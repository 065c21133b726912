export interface TimedDownload {
  /** From now on, it shares the connection with other downloads. */
  readonly receive: () => void;
  readonly end: () => void;
}

interface Running {
  usedMs: number;
  isReceiving: boolean;
  readonly onTimeout: () => void;
}

/**
 * Limits the time of each download. While several responses arrive at the same time, a second counts only in part for each of them, so that
 * a slow connection is enough for all if it is enough for one after the other.
 */
export function createTimeLimits(limitMs: number): (onTimeout: () => void, extraMs?: number) => TimedDownload {
  const running = new Set<Running>();
  let countedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function shareOf({ isReceiving }: Running): number {
    return isReceiving ? [...running].filter((one) => one.isReceiving).length : 1;
  }

  /** The shares are those of the time before the change. */
  function change(act: () => void): void {
    const elapsed = performance.now() - countedAt;
    for (const one of running) one.usedMs += elapsed / shareOf(one);
    countedAt += elapsed;
    act();
    clearTimeout(timer);
    const left = Array.from(running, (one) => (limitMs - one.usedMs) * shareOf(one)).sort((a, b) => a - b);
    if (left.length > 0) timer = setTimeout(() => change(stopLate), Math.max(0, left[0]!));
  }

  function stopLate(): void {
    for (const one of [...running].filter(({ usedMs }) => usedMs >= limitMs)) {
      running.delete(one);
      one.onTimeout();
    }
  }

  return (onTimeout, extraMs = 0) => {
    const one: Running = { usedMs: -extraMs, isReceiving: false, onTimeout };
    change(() => void running.add(one));
    return {
      receive() {
        if (!one.isReceiving) change(() => void (one.isReceiving = true));
      },
      end: () => change(() => void running.delete(one)),
    };
  };
}
