import { Session } from 'node:inspector';

/** What the engine itself says about which pieces of the code were run. */
export interface Coverage {
  /** Whether something was run since the last look that never was before; from now on it was. */
  readonly learn: () => boolean;
  /** As `learn`, and forgets it again. */
  readonly hasNews: () => boolean;
  /** How many characters of the code were run so far. */
  readonly size: () => number;
}

interface FunctionCoverage {
  readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
}

/**
 * Starts to count. `part` is a piece of the address of the script that counts; it has to be loaded later. The engine merges
 * neighbouring blocks that ran equally often, so what is remembered is characters and not blocks; for each function on its
 * own, because the text of a function holds that of those inside it.
 */
export function startCoverage(part: string): Coverage {
  const session = new Session();
  session.connect();
  post(session, 'Profiler.enable');
  post(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const known = new Map<string, Uint8Array>();
  let size = 0;

  function look(learns: boolean): boolean {
    const { result } = post(session, 'Profiler.takePreciseCoverage') as {
      readonly result: readonly { readonly url: string; readonly functions: readonly FunctionCoverage[] }[];
    };
    let isNew = false;
    for (const { url, functions } of result) {
      if (!url.includes(part)) continue;
      for (const one of functions) {
        const found = lookAt(one, learns);
        isNew ||= found;
      }
    }
    return isNew;
  }

  function lookAt({ ranges }: FunctionCoverage, learns: boolean): boolean {
    const { startOffset, endOffset, count } = ranges[0]!;
    if (count === 0) return false;
    const painted = new Uint8Array(endOffset - startOffset);
    // Outer blocks come before those inside them.
    for (const range of ranges)
      painted.fill(range.count > 0 ? 1 : 0, range.startOffset - startOffset, range.endOffset - startOffset);
    const key = `${startOffset}-${endOffset}`;
    const before = known.get(key) ?? new Uint8Array(painted.length);
    let fresh = 0;
    for (let at = 0; at < painted.length; at++) {
      if (painted[at] === 1 && before[at] === 0) {
        fresh++;
        if (learns) before[at] = 1;
      }
    }
    if (learns && fresh > 0) known.set(key, before);
    if (learns) size += fresh;
    return fresh > 0;
  }

  return { learn: () => look(true), hasNews: () => look(false), size: () => size };
}

/** Sessions with the own thread answer before `post` returns. */
function post(session: Session, method: string, parameters?: object): unknown {
  let answer: unknown;
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw error;
    answer = result;
  });
  return answer;
}
