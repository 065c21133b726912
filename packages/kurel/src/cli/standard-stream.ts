import { fstatSync, statSync, writeSync } from 'node:fs';

interface StandardStream {
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
  /** Calls back when everything was written. */
  readonly finish: (then: () => void) => void;
}

/**
 * Files and pipes are written to directly: loading Node's streams would take longer than building a small package. Terminals have Node's
 * stream, which knows their encoding.
 */
export function openStandardStream(file: 1 | 2, onError: (error: NodeJS.ErrnoException) => never): StandardStream {
  if (!isTerminal(file)) {
    return {
      isTerminal: false,
      write(text) {
        try {
          for (const piece of cutText(text)) writeAll(file, Buffer.from(piece));
        } catch (error) {
          onError(error as NodeJS.ErrnoException);
        }
      },
      finish: (then) => then(),
    };
  }
  const stream = file === 1 ? process.stdout : process.stderr;
  stream.on('error', onError);
  return {
    isTerminal: true,
    write: (text) => void stream.write(text),
    // After an empty text, Bun would call back at once.
    finish: (then) => void ('Bun' in process.versions ? stream.end(then) : stream.write('', then)),
  };
}

/** Asking the terminal itself loads Node's streams, too, so what cannot be one is sorted out first. */
function isTerminal(file: number): boolean {
  if (process.platform !== 'win32') {
    const stats = fstatSync(file);
    if (!stats.isCharacterDevice() || stats.rdev === statSync('/dev/null').rdev) return false;
  }
  return process.getBuiltinModule('node:tty').isatty(file);
}

function writeAll(file: number, bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(file, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      // The process that started kurel made the pipe non-blocking, and its reader is busy.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Splits a text into chunks, so that not all of its bytes are in memory at once. */
export function* cutText(text: string, most = 1 << 20): Generator<string> {
  let start = 0;
  while (text.length - start > most) {
    const end = start + most;
    // Never between the two halves of a surrogate pair: a half cannot be encoded.
    const isSplit = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield text.slice(start, isSplit ? end - 1 : end);
    start = isSplit ? end - 1 : end;
  }
  yield start === 0 ? text : text.slice(start);
}
