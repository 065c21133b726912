import { quote } from '../diagnostics/index.ts';
import { readJson } from '../model/index.ts';
import { TarError } from './check-entry-name.ts';
import { readTar } from './read-tar.ts';
import type { TarEntry } from './read-tar.ts';

export interface ArchiveFile {
  /** With `/`, relative to the root of the archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Size of the uncompressed content. */
export const largestContent = 100 * 1_048_576;

/** The files in a `.tgz`. Throws a `TarError` for everything that `readTar` refuses. */
export async function readArchive(archive: Uint8Array): Promise<readonly ArchiveFile[]> {
  const entries = readTar(await gunzip(archive, largestContent));
  return entries.filter(({ type }) => type === 'file').map(({ name, bytes }) => ({ path: name, bytes }));
}

/** Decompresses bytes. Stops as soon as the output exceeds the limit, however small the input is. */
export async function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = new Blob([bytes as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'))
      .getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const piece: Uint8Array = next.value;
      length += piece.length;
      if (length > maxBytes) {
        await reader.cancel();
        throw new TarError(`it has more than ${maxBytes / 1_048_576} MiB of content`, 'size');
      }
      pieces.push(piece);
    }
  } catch (cause) {
    if (cause instanceof TarError) throw cause;
    // The runtime's message differs from run to run and is sometimes empty, so this uses its own.
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    throw new TarError(isGzip ? 'its gzip data is damaged or cut short' : 'it is not a gzip file', 'encoding', {
      cause,
    });
  }
  const whole = new Uint8Array(length);
  let start = 0;
  for (const piece of pieces) {
    whole.set(piece, start);
    start += piece.length;
  }
  return whole;
}

/** Maximum nesting of charts in charts. */
const deepest = 8;

/** The content of a chart's `.tgz`: exactly one folder with a `Chart.yaml`. */
export async function readChartArchive(
  archive: Uint8Array,
  maxBytes: number = largestContent,
): Promise<readonly TarEntry[]> {
  const entries = readTar(await gunzip(archive, maxBytes));
  const files = entries.filter(({ type }) => type === 'file');
  const [folder, ...others] = new Set(files.map(({ name }) => name.slice(0, name.indexOf('/') + 1)));
  if (folder === undefined) throw new TarError('it is not a chart: it has no files');
  const stray = files.find(({ name }) => !name.includes('/'));
  if (stray !== undefined) throw new TarError(`it is not a chart: ${quote(stray.name)} is not in a folder`);
  if (others.length > 0) throw new TarError('it is not a chart: it has more than one folder');
  if (!files.some(({ name }) => name === `${folder}Chart.yaml`)) {
    throw new TarError(`it is not a chart: it has no ${quote(`${folder}Chart.yaml`)}`);
  }
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  await checkFiles(files, { left: maxBytes - size, depth: 1, path: '' });
  return entries;
}

interface Nesting {
  /** Bytes still available for nested archives. */
  readonly left: number;
  readonly depth: number;
  /** Path of the current archive in the outermost one. */
  readonly path: string;
}

/** Checks schemas and nested chart archives; returns the number of bytes still available. */
async function checkFiles(files: readonly TarEntry[], { left, depth, path }: Nesting): Promise<number> {
  let rest = left;
  for (const { name, bytes } of files) {
    const inner = `${path}${name}`;
    const fault = isValuesSchema(name) ? checkValuesSchema(new TextDecoder().decode(bytes)) : undefined;
    if (fault !== undefined) throw new TarError(`its file ${quote(inner)} ${fault}`);
    if (!isSubchart(name)) continue;
    if (depth >= deepest) throw new TarError(`${quote(inner)} is nested in more than ${deepest} archives`);
    const entries = await openSubchart(bytes, { left: rest, path: inner });
    const unpacked = entries.filter(({ type }) => type === 'file');
    rest -= unpacked.reduce((sum, entry) => sum + entry.bytes.length, 0);
    rest = await checkFiles(unpacked, { left: rest, depth: depth + 1, path: `${inner}/` });
  }
  return rest;
}

/** Helm opens every archive in a `charts` directory. */
export function isSubchart(name: string): boolean {
  return /(?:^|\/)charts\/[^/]+\.t(?:ar\.)?gz$/i.test(name);
}

async function openSubchart(bytes: Uint8Array, { left, path }: Omit<Nesting, 'depth'>): Promise<readonly TarEntry[]> {
  try {
    return readTar(await gunzip(bytes, left));
  } catch (cause) {
    if (!(cause instanceof TarError)) throw cause;
    throw new TarError(`its archive ${quote(path)} cannot be used: ${cause.message}`, cause.fault, { cause });
  }
}

/** Whether helm may read a file as the schema of a chart's values. */
export function isValuesSchema(path: string): boolean {
  return /(?:^|\/)values\.schema\.json$/i.test(path);
}

const referring: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);
/** helm includes the schemas of JSON Schema itself. */
const builtIn = /^https?:\/\/json-schema\.org\//;

/**
 * Why a `values.schema.json` is not passed to helm, as the end of a sentence; `undefined` if it is fine. helm
 * loads everything that a schema refers to, even `file:///etc/passwd`, so only references within the schema are allowed.
 */
export function checkValuesSchema(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const reading = readJson(text, { exactIntegers: true, lastKeyWins: true });
  if ('reason' in reading) return `cannot be read: ${reading.reason}`;
  const waiting: unknown[] = [reading.data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') waiting.push(inner);
      else if (referring.has(key) && !inner.startsWith('#') && !builtIn.test(inner)) {
        return `refers to ${quote(inner)} in ${quote(key)}, which is outside the schema`;
      }
    }
  }
  return undefined;
}
