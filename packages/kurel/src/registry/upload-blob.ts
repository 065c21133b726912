import { FetchError } from '../model/index.ts';
import type { Fetched, FetchFailure } from '../model/index.ts';
import { readDigest, refuseContent } from './fetch-access.ts';
import { largestAnswer } from './registry-session.ts';
import type { RegistrySession } from './registry-session.ts';

interface Upload {
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly url: string;
  readonly isStored: () => Promise<boolean>;
  /** Larger blobs are sent in chunks of this size. Defaults to 8 MiB. */
  readonly largestChunk?: number | undefined;
  /** Called before another try. */
  readonly wait?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** Where an upload goes on. */
interface Position {
  readonly location: string;
  /** How many bytes the registry has. */
  readonly offset: number;
  readonly chunkSize: number;
}

const contentType = 'application/octet-stream';
const usualChunk = 8 * 1_048_576;
const mostFailures = 5;
const firstWait = 500;

/**
 * Uploads a blob: a small one at once, a large one in chunks. After a failed connection, continues where the registry is, or starts again if
 * the registry has forgotten the upload.
 */
export async function uploadBlob(
  session: RegistrySession,
  { bytes, digest, url, isStored, wait, largestChunk = usualChunk }: Upload,
): Promise<void> {
  const isSmall = bytes.length <= largestChunk;
  const inChunks = isSmall ? 0 : bytes.length;
  let position: Position | undefined;
  let isInDoubt = false;
  for (let failures = 1; ; failures++) {
    try {
      if (isInDoubt) {
        // The answer to the last request may be all that was lost.
        if (await isStored()) return;
        position = isSmall || position === undefined ? undefined : await findPosition(position);
        isInDoubt = false;
      }
      position ??= await start();
      while (position.offset < inChunks) position = await sendChunk(position);
      return await finish(position);
    } catch (error) {
      if (failures === mostFailures || !(error instanceof FetchError)) throw error;
      if (error instanceof ShortChunk) position = error.position;
      else if (position !== undefined && isForgotten(error)) [position, isInDoubt] = [undefined, false];
      else if (!isTemporary(error)) throw error;
      else isInDoubt = true;
    }
    await wait?.(firstWait * 2 ** (failures - 1));
  }

  async function start(): Promise<Position> {
    const request = { method: 'POST', body: new Uint8Array(), maxBytes: largestAnswer } as const;
    const answer = await session.send('blobs/uploads/', request);
    const location = readLocation(answer);
    if (location === undefined) throw refuse(url, 'its answer does not say where to upload');
    const smallest = Number(answer.headers['oci-chunk-min-length'] ?? 0);
    return { location, offset: 0, chunkSize: smallest > largestChunk ? smallest : largestChunk };
  }

  async function sendChunk(current: Position): Promise<Position> {
    const { location, offset, chunkSize } = current;
    const end = Math.min(offset + chunkSize, bytes.length);
    const answer = await session.send(location, {
      method: 'PATCH',
      body: bytes.subarray(offset, end),
      headers: { 'content-type': contentType, 'content-range': `${offset}-${end - 1}` },
      maxBytes: largestAnswer,
    });
    const reached = answer.headers['range'] === undefined ? end : readEnd(answer, url);
    if (reached > end || reached < offset) {
      throw refuse(url, `it has received ${end} bytes of an upload, but reports ${reached}`);
    }
    const next = { ...current, location: readLocation(answer) ?? location, offset: reached };
    if (reached < end) throw new ShortChunk(next, url);
    return next;
  }

  /** Asks how much of an upload the registry has. */
  async function findPosition(last: Position): Promise<Position> {
    const answer = await session.send(last.location, { maxBytes: largestAnswer });
    const offset = readEnd(answer, url);
    if (offset > bytes.length) {
      throw refuse(url, `it has received at most ${bytes.length} bytes of an upload, but reports ${offset}`);
    }
    return { ...last, location: readLocation(answer) ?? last.location, offset };
  }

  async function finish({ location, offset }: Position): Promise<void> {
    const [place = ''] = location.split('#');
    const { headers } = await session.send(`${place}${place.includes('?') ? '&' : '?'}digest=${digest}`, {
      method: 'PUT',
      body: bytes.subarray(offset),
      headers: { 'content-type': contentType },
      maxBytes: largestAnswer,
    });
    const stored = readDigest(headers['docker-content-digest'] ?? '') ?? digest;
    if (stored !== digest) throw refuse(url, `it was sent ${digest}, but reports ${stored}`, 'digest');
  }
}

const brief: ReadonlySet<number | undefined> = new Set([408, 429, 500, 502, 503, 504]);

function isTemporary({ failure, status }: FetchError): boolean {
  return failure === 'connection' || failure === 'timeout' || brief.has(status);
}

/** The registry does not have the upload, or has another part of it. */
function isForgotten({ status }: FetchError): boolean {
  return status === 404 || status === 416;
}

/** The registry has taken only the start of a chunk. */
class ShortChunk extends FetchError {
  readonly position: Position;

  constructor(position: Position, url: string) {
    super('content', refuse(url, 'it does not accept all of an upload').message, { url });
    this.position = position;
  }
}

function refuse(url: string, reason: string, failure: FetchFailure = 'content'): FetchError {
  return refuseContent(url, reason, { failure, intent: 'push' });
}

function readLocation({ headers: { location }, url }: Fetched): string | undefined {
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined;
}

/** The number of bytes in a header such as `range: 0-1023`. */
function readEnd({ headers }: Fetched, url: string): number {
  const end = readRange(headers['range'] ?? '');
  if (end === undefined) throw refuse(url, 'its answer does not say how much of an upload it has');
  return end;
}

/** The number of bytes that a registry has according to a `range` header; `undefined` if it is not valid. */
export function readRange(header: string): number | undefined {
  const [, start, end] = /^\s*(?:bytes=)?(\d{1,15})-(\d{1,15})\s*$/.exec(header) ?? [];
  if (start === undefined || Number(start) !== 0) return undefined;
  // For an upload without bytes, registries send `0-0` as well.
  return Number(end) === 0 ? 0 : Number(end) + 1;
}
