import { escapeControls } from '../diagnostics/index.ts';
import type { BuildStage } from '../index.ts';
import type { Awaitable, ProgramCall } from '../model/index.ts';
import type { Environment, Progress } from './environment.ts';
import { shorten } from './terminal.ts';

/** Shorter work shows no progress. */
const patienceMs = 500;
const redrawMs = 100;
/** With the patience less than a second. */
const intervalMs = 250;
const erase = '\r\u001B[2K';
const usualColumns = 80;

/** A text of at most so many characters, if it can be that short. */
type Describe = (width: number) => string;

/**
 * One line on stderr with the current work, which is cleared before anything else is written. Most work blocks the thread, so that no
 * timer runs: the clock is read whenever the work reports its progress.
 */
export function showProgress(environment: Environment, now: () => number = () => performance.now()) {
  let startedAt = now();
  let drawn: { readonly at: number; readonly text: string } | undefined;
  let files = 0;
  let doing = '';
  let fetched: { readonly done: number; readonly sources: number } | undefined;
  /** What is waited for, the oldest first. */
  const waits = new Set<Describe>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function eraseLine(): void {
    if (drawn !== undefined) environment.writeStderr(erase);
    drawn = undefined;
  }

  function print(describe: Describe): void {
    const time = now();
    if (time - startedAt < patienceMs || (drawn !== undefined && time - drawn.at < redrawMs)) return;
    // Some terminals report 0.
    const width = (environment.columns?.() || usualColumns) - 1;
    const text = shorten(escapeControls(describe(width)), width);
    // Somebody may type into the line while standard input is awaited.
    if (text !== drawn?.text) environment.writeStderr(`${erase}${text}`);
    drawn = { at: time, text };
  }

  /** The first line of a step is shown even if another line has just been drawn: there may be no second one. */
  function begin(describe: Describe): void {
    if (drawn !== undefined) drawn = { ...drawn, at: -redrawMs };
    print(describe);
  }

  function showOldest(): void {
    const [oldest] = waits;
    if (oldest !== undefined) print(oldest);
  }

  /** The thread is free while it waits, so that a timer can run. */
  async function waitFor<Result>(describe: Describe, work: () => Result): Promise<Awaited<Result>> {
    waits.add(describe);
    timer ??= setInterval(showOldest, intervalMs);
    // The timer of many short waits never fires.
    if (drawn === undefined || now() - drawn.at >= intervalMs) showOldest();
    try {
      return await work();
    } finally {
      waits.delete(describe);
      if (waits.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    }
  }

  function timed(subject: string, details: () => readonly string[] = () => []): Describe {
    const since = now();
    return (width) => {
      const seconds = Math.floor((now() - since) / 1000);
      const all = [...details(), ...(seconds === 0 ? [] : [`${seconds} s`])];
      const rest = all.length === 0 ? '' : ` (${all.join(', ')})`;
      return `${shorten(subject, width - rest.length)}${rest}`;
    };
  }

  /** Only pipes, and files that git reads, have to be waited for. */
  function read<Result>(path: string, work: () => Awaitable<Result>): Awaitable<Result> {
    files += 1;
    if (files % 8 === 0) print(() => `reading files: ${formatCount(files)}`);
    const result = work();
    return result instanceof Promise ? waitFor(timed(`waiting for ${path}`), () => result) : result;
  }

  const progress: Progress = {
    print,
    begin,
    wait: (subject, work) => waitFor(timed(`waiting for ${subject}`), work),
    onBuild(stage) {
      if (stage.doing === 'fetching') fetched = stage;
      else (stage.doing === doing ? print : begin)(() => describeStage(stage));
      ({ doing } = stage);
    },
    observeFiles: (fileSystem) => ({
      ...(fileSystem.readBytes === undefined
        ? {}
        : { readBytes: (path: string) => read(path, () => fileSystem.readBytes!(path)) }),
      readText: (path) => read(path, () => fileSystem.readText(path)),
      list: (directory) => fileSystem.list(directory),
      kindOf: (path) => fileSystem.kindOf(path),
    }),
    observePrograms: (programs) => ({
      run: (call) => waitFor(timed(`waiting for ${describeCall(call)}`), () => programs.run(call)),
    }),
    observeFetcher: (fetcher) => ({
      fetch(request) {
        let bytes = 0;
        const verb = request.intent === 'push' ? 'pushing to' : 'fetching';
        const describe = timed(`${verb} ${placeOf(request.url)}`, () => [
          // The one that is shown is the next to be done.
          ...(fetched === undefined || fetched.sources < 2 ? [] : [`${fetched.done + 1} of ${fetched.sources}`]),
          ...(bytes === 0 ? [] : [formatSize(bytes)]),
        ]);
        const onBytes = (received: number): void => void (bytes = received);
        return waitFor(describe, () => fetcher.fetch({ ...request, onBytes }));
      },
    }),
    clear() {
      eraseLine();
      startedAt = now();
      files = 0;
      fetched = undefined;
    },
  };
  const { page } = environment;
  return {
    ...environment,
    progress,
    readStdin: (maxBytes?: number) =>
      waitFor(
        () => 'waiting for standard input',
        () => environment.readStdin(maxBytes),
      ),
    ...(page === undefined ? {} : { page: (text: string) => (eraseLine(), page(text)) }),
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

function describeStage({ doing, objects, done }: Exclude<BuildStage, { readonly doing: 'fetching' }>): string {
  if (objects === 0) return doing;
  const of = done === undefined ? '' : `${formatCount(done)} of `;
  return `${doing} ${of}${formatCount(objects)} ${objects === 1 ? 'object' : 'objects'}`;
}

/** With the last operand, except for paths in a temporary directory. */
function describeCall({ program, args }: ProgramCall): string {
  const end = args.indexOf('--');
  const subject = end === -1 ? undefined : args.slice(end + 1).findLast((operand) => !operand.startsWith('{'));
  return `${program} ${args[0] ?? ''}${subject === undefined ? '' : ` ${subject}`}`;
}

/** The query of a URL may contain a secret. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'a source';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

function formatSize(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
