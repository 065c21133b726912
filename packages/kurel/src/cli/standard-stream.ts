import { fstatSync, readFileSync, readlinkSync, statSync, writeSync } from 'node:fs';

interface StandardStream {
  readonly isTerminal: boolean;
  /** Whether it was closed when the program was started. */
  readonly isClosed: () => boolean;
  readonly write: (text: string) => void;
  /** Calls back when everything was written. */
  readonly finish: (then: () => void) => void;
}

/**
 * Files and pipes are written to directly: loading Node's streams would take longer than building a small package. Terminals have Node's
 * stream, which knows their encoding. After an error that does not end the process, nothing more is written.
 */
export function openStandardStream(file: 1 | 2, onError: (error: NodeJS.ErrnoException) => void): StandardStream {
  if (!isTerminal(file)) {
    let isBroken = false;
    return {
      isTerminal: false,
      isClosed: () => isReplaced(file),
      write(text) {
        if (isBroken) return;
        try {
          writeText(file, text);
        } catch (error) {
          isBroken = true;
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
    isClosed: () => false,
    write: (text) => void stream.write(text),
    // After an empty text, Bun would call back at once.
    finish: (then) => void ('Bun' in process.versions ? stream.end(then) : stream.write('', then)),
  };
}

/** Asking the terminal itself loads Node's streams, too, so what cannot be one is sorted out first. */
function isTerminal(file: number): boolean {
  if (process.platform !== 'win32') {
    const stats = fstatSync(file);
    if (!stats.isCharacterDevice() || isNull(file)) return false;
  }
  return process.getBuiltinModule('node:tty').isatty(file);
}

/**
 * In the place of a closed stream, so that no file gets its number, the runtime has opened `/dev/null` for reading and writing. Programs
 * that discard the output of another one do the same. It counts as closed if a shell has closed it for kurel or for a program that started
 * kurel, such as `timeout`: `>&-` is syntax of shells, which open `> /dev/null` for writing only.
 */
function isReplaced(file: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    if (stateOf(process.pid, file) !== 'replaced') return false;
    for (let pid = parentOf(process.pid); pid > 0; pid = parentOf(pid)) {
      const state = stateOf(pid, file);
      // Some shells close the file of a command in their own process.
      if (state === 'open' || (state === 'closed' && isShell(pid))) return isShell(pid);
    }
  } catch {
    // A process of another user, or one that has ended.
  }
  return false;
}

function stateOf(pid: number, file: number): 'open' | 'closed' | 'replaced' {
  try {
    if (readlinkSync(`/proc/${pid}/fd/${file}`) !== '/dev/null') return 'open';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'closed';
    throw error;
  }
  const isForBoth = /^flags:\s*[0-7]*2$/m.test(readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8'));
  return isForBoth ? 'replaced' : 'open';
}

function isShell(pid: number): boolean {
  return /^(?:a|ba|da|fi|k|mk|z)?sh$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
}

function parentOf(pid: number): number {
  const [, parent] = /.*\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return Number(parent ?? 0);
}

function isNull(file: number): boolean {
  return fstatSync(file).rdev === statSync('/dev/null').rdev;
}

/** A long text is encoded into one buffer again and again, because buffers stay in memory until garbage is collected. */
function writeText(file: number, text: string): void {
  if (text.length <= pieceLength) return writeAll(file, Buffer.from(text));
  // No UTF-16 unit takes more than three bytes.
  const buffer = Buffer.allocUnsafe(3 * pieceLength);
  for (const piece of cutText(text)) writeAll(file, buffer.subarray(0, buffer.write(piece)));
}

function writeAll(file: number, bytes: Uint8Array): void {
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

const pieceLength = 1 << 18;

/** Splits a text into chunks, so that not all of its bytes are in memory at once. */
export function* cutText(text: string, most = pieceLength): Generator<string> {
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
