import { holdSignals } from './hold-signals.ts';
import { type ProcessCall, killTree, startProcess, usualMemory, watchMemory } from './run-process.ts';

export interface GitObjectsOptions extends Omit<ProcessCall, 'maxOutputBytes' | 'stdin'> {
  readonly maxObjectBytes: number;
  /** Of all objects together. */
  readonly maxBytes: number;
}

/** Reads objects with `git cat-file --batch`, which starts with the first request. */
export interface GitObjects {
  /** The content of an object, by its full hexadecimal ID. The message of the `Error` is the end of a sentence about the file. */
  read(name: string): Promise<Buffer>;
  close(): void;
}

export function openGitObjects(options: GitObjectsOptions): GitObjects {
  let conversation: Conversation | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let total = 0;

  async function ask(name: string): Promise<Buffer> {
    if (conversation === undefined || conversation.hasEnded()) conversation = startConversation(options);
    const bytes = await conversation.ask(name);
    total += bytes.length;
    if (total <= options.maxBytes) return bytes;
    throw new Error(`exceeds the limit of ${options.maxBytes} bytes for all files of a repository`);
  }

  return {
    // One request at a time, because the answers of git come in the order of the requests.
    read(name) {
      const answer = last.then(() => ask(name));
      last = answer.catch(() => undefined);
      return answer;
    },
    close() {
      conversation?.end(new Error('git was stopped'));
      conversation = undefined;
    },
  };
}

const longestHeader = 1000;
const missing = 'is not part of this clone of the repository';

interface Conversation {
  ask(name: string): Promise<Buffer>;
  hasEnded(): boolean;
  end(reason: Error): void;
}

interface Question {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (reason: unknown) => void;
  /** In the header of the answer. */
  size: number | undefined;
}

function startConversation(options: GitObjectsOptions): Conversation {
  const { maxObjectBytes, timeoutMs, signal } = options;
  const child = startProcess({ ...options, maxOutputBytes: 0 });
  const release = holdSignals(() => killTree(child));
  const stopWatching = watchMemory(child, usualMemory, () => stop('git used too much memory'));
  const pieces: Buffer[] = [];
  let held = 0;
  let question: Question | undefined;
  let failure: Error | undefined;

  function end(reason: Error): void {
    if (failure !== undefined) return;
    failure = reason;
    stopWatching();
    release();
    signal?.removeEventListener('abort', onAbort);
    killTree(child);
    settle(({ reject }) => reject(reason));
  }
  function onAbort(): void {
    end(new Error('git was stopped'));
  }
  function settle(act: (question: Question) => void): void {
    const asked = question;
    question = undefined;
    if (asked !== undefined) act(asked);
  }
  /** The received bytes in one buffer. */
  function join(): Buffer {
    const joined = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces.splice(0, pieces.length, joined);
    return joined;
  }
  function drop(count: number): void {
    const rest = join().subarray(count);
    pieces.splice(0, pieces.length, rest);
    held = rest.length;
  }
  function readHeader(): void {
    const joined = join();
    const end = joined.indexOf(0x0a);
    if (end === -1) return held > longestHeader ? stop('git returned an invalid answer') : undefined;
    const line = joined.toString('latin1', 0, end);
    drop(end + 1);
    const size = / [a-z]+ (\d+)$/.exec(line)?.[1];
    if (size === undefined) return settle(({ reject }) => reject(new Error(missing)));
    if (Number(size) > maxObjectBytes) {
      return stop(`has ${size} bytes, more than the limit of ${maxObjectBytes} for one file`);
    }
    question!.size = Number(size);
  }
  function readAnswer(): void {
    if (question !== undefined && question.size === undefined) readHeader();
    const size = question?.size;
    if (size === undefined || held < size + 1) return;
    const bytes = Buffer.from(join().subarray(0, size));
    drop(size + 1);
    settle(({ resolve }) => resolve(bytes));
  }
  function stop(reason: string): void {
    end(new Error(reason));
  }

  function fail(message: string): void {
    stop(message.includes('promisor remote') ? missing : `git failed: ${message}`);
  }

  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (question === undefined) return stop('git returned an unexpected answer');
    pieces.push(chunk);
    held += chunk.length;
    readAnswer();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 4096) stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => undefined);
  child.on('error', ({ message }) => fail(message));
  child.on('close', () => fail(stderr.trim() === '' ? 'no error message' : stderr.trim()));
  signal?.addEventListener('abort', onAbort, { once: true });

  return {
    ask: (name) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        const timer = setTimeout(() => stop(`git did not answer within ${timeoutMs / 1000} s`), timeoutMs);
        const finish = <Value>(act: (value: Value) => void) => {
          return (value: Value): void => {
            clearTimeout(timer);
            act(value);
          };
        };
        question = { resolve: finish(resolve), reject: finish(reject), size: undefined };
        child.stdin.write(`${name}\n`);
      }),
    hasEnded: () => failure !== undefined,
    end,
  };
}
