import { escapeControls } from '../diagnostics/index.ts';
import type { ProgramCall } from '../model/index.ts';
import type { Environment, Progress } from './environment.ts';

export interface ProgressOptions {
  /** In milliseconds, from any starting point. */
  readonly now?: () => number;
}

/** Shorter work shows no progress. */
const patienceMs = 500;
const redrawMs = 100;
const erase = '\r\u001B[2K';
const usualColumns = 80;

/**
 * One line on stderr with the current work, which is cleared before anything else is written. Most work blocks the thread, so that no
 * timer runs: the clock is read whenever the work reports its progress.
 */
export function showProgress(environment: Environment, { now = () => performance.now() }: ProgressOptions = {}) {
  let startedAt = now();
  let drawnAt: number | undefined;
  let files = 0;

  function eraseLine(): void {
    if (drawnAt !== undefined) environment.writeStderr(erase);
    drawnAt = undefined;
  }

  function draw(text: string): void {
    // Some terminals report 0.
    const width = (environment.columns?.() || usualColumns) - 1;
    const shown = escapeControls(text);
    environment.writeStderr(`${erase}${shown.length > width ? `${shown.slice(0, Math.max(0, width - 1))}…` : shown}`);
    drawnAt = now();
  }

  function print(describe: () => string): void {
    const time = now();
    if (time - startedAt < patienceMs || (drawnAt !== undefined && time - drawnAt < redrawMs)) return;
    draw(describe());
  }

  /** The thread is free while it waits, so that a timer can run. */
  async function wait<Result>(text: string, work: () => Result): Promise<Awaited<Result>> {
    const since = now();
    const show = (): void => print(() => `${text} ${Math.round((now() - since) / 1000)} s`);
    print(() => text);
    const timer = setInterval(show, patienceMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  function read<Result>(work: () => Result): Result {
    files += 1;
    if (files % 8 === 0) print(() => `reading files: ${formatCount(files)}`);
    return work();
  }

  const progress: Progress = {
    print,
    onBuild: ({ doing, objects, done }) =>
      print(() => {
        const of = done === undefined ? '' : `${formatCount(done)} of `;
        return `${doing} ${of}${formatCount(objects)} ${objects === 1 ? 'object' : 'objects'}`;
      }),
    observeFiles: (fileSystem) => ({
      ...(fileSystem.readBytes === undefined
        ? {}
        : { readBytes: (path: string) => read(() => fileSystem.readBytes!(path)) }),
      readText: (path) => read(() => fileSystem.readText(path)),
      list: (directory) => fileSystem.list(directory),
      kindOf: (path) => fileSystem.kindOf(path),
    }),
    observePrograms: (programs) => ({
      run: (call) => wait(describeCall(call), () => programs.run(call)),
    }),
    observeFetcher: (fetcher) => ({
      ...fetcher,
      fetch: (request) => wait(`fetching ${placeOf(request.url)}`, () => fetcher.fetch(request)),
    }),
    clear() {
      eraseLine();
      startedAt = now();
      files = 0;
    },
  };
  return {
    ...environment,
    progress,
    writeStdout(text: string) {
      eraseLine();
      environment.writeStdout(text);
    },
    writeStderr(text: string) {
      eraseLine();
      environment.writeStderr(text);
    },
  };
}

function describeCall({ program, args }: ProgramCall): string {
  const path = args.findLast((argument) => /^[./]/.test(argument));
  return `${program} ${args[0] ?? ''}${path === undefined ? '' : ` ${path}`}`;
}

/** The query of a URL may contain a secret. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
