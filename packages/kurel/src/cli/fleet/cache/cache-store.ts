import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';

import { explainConnection } from '../../../host/index.ts';
import type { Environment } from '../../environment.ts';
import { makeDirectory } from '../../own-cache.ts';

/** Where finished targets are kept, as in Bazel's HTTP cache: results under `ac`, content by its SHA-256 under `cas`. */
interface CacheStore {
  /** The bytes, or `undefined` if there are none. Throws a `CacheFailure`. */
  get(area: CacheArea, name: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Throws a `CacheFailure`. */
  put(area: CacheArea, name: string, bytes: Uint8Array): Promise<void>;
}

export type CacheArea = 'ac' | 'cas';

/** A cache that cannot be used. The message is the end of a sentence. */
export class CacheFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CacheFailure';
  }
}

type StoreEnvironment = Pick<Environment, 'variables' | 'limits'>;

const usualTimeoutMs = 10_000;

/** The place is a URL or a directory. */
export function openStore(place: string, environment: StoreEnvironment): CacheStore {
  return /^https?:\/\//.test(place) ? openHttpStore(place, environment) : openDirectoryStore(place);
}

function authorize(variables: Environment['variables']): { readonly authorization?: string } {
  const { KUREL_CACHE_TOKEN: token = '', KUREL_CACHE_USER: user = '', KUREL_CACHE_PASSWORD: password = '' } = variables;
  if (token !== '') return { authorization: `Bearer ${token}` };
  if (user === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** A cache in a directory, in the layout of a server for Bazel's HTTP cache, so that a web server can share it. */
export function openDirectoryStore(directory: string): CacheStore {
  return {
    async get(area, name, maxBytes) {
      try {
        // A pipe would block until somebody writes to it.
        const file = await open(join(directory, area, name), constants.O_RDONLY | constants.O_NONBLOCK);
        try {
          const stats = await file.stat();
          if (!stats.isFile()) throw new CacheFailure(`${area}/${name} is not a file`);
          return await readUpTo(file, Math.min(stats.size, maxBytes) + 1);
        } finally {
          await file.close();
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return undefined;
        throw describe(error);
      }
    },
    async put(area, name, bytes) {
      const path = join(directory, area, name);
      // Others may be reading the file, or writing it too.
      const draft = `${path}.${randomUUID()}`;
      try {
        makeDirectory(join(directory, area));
        await writeFile(draft, bytes, { flag: 'wx' });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw describe(error);
      }
    },
  };
}

/** A file that is longer, or grows while it is read, is not what was stored. */
async function readUpTo(file: FileHandle, maxBytes: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(maxBytes);
  let size = 0;
  for (let read = -1; read !== 0 && size < maxBytes; size += read) {
    ({ bytesRead: read } = await file.read(bytes, size, maxBytes - size, size));
  }
  return bytes.subarray(0, size);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  ENOENT: 'it cannot be created',
  ENOTDIR: 'it is not a directory',
};

function describe(error: unknown): CacheFailure {
  if (error instanceof CacheFailure) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  return new CacheFailure(reasons[code] ?? code);
}

const mostConnections = 16;

/**
 * A server for Bazel's HTTP cache. The operator names it on the command line, so its address may be private. Redirects are refused: they would
 * take credentials elsewhere. Proxies are ignored.
 */
function openHttpStore(url: string, { variables, limits }: StoreEnvironment): CacheStore {
  const timeoutMs = limits?.timeoutMs ?? usualTimeoutMs;
  const headers = authorize(variables);
  const http = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true, maxSockets: mostConnections });

  /** The status, and one byte more than allowed if there are more. */
  function exchange({ path, body, maxBytes }: Exchange): Promise<readonly [status: number, bytes: Uint8Array]> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'PUT';
      const length = body === undefined ? {} : { 'content-length': body.length };
      const request = http.request(`${url}/${path}`, { method, agent, headers: { ...headers, ...length } });
      const timer = setTimeout(() => {
        request.destroy(new CacheFailure(`no complete response within ${timeoutMs / 1000} s`));
      }, timeoutMs);
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(describeConnection(error, request));
      };
      request.on('error', fail);
      request.on('response', (response) => {
        response.on('error', fail);
        readBody(response, maxBytes, (bytes) => {
          clearTimeout(timer);
          resolve([response.statusCode ?? 0, bytes]);
          if (!response.complete) request.destroy();
        });
      });
      request.end(body);
    });
  }

  /** A server may close a kept connection at any time; both methods can be repeated. */
  async function send(request: Exchange): ReturnType<typeof exchange> {
    try {
      return await exchange(request);
    } catch (error) {
      if (!(error instanceof ClosedConnection)) throw error;
      return exchange(request);
    }
  }

  return {
    async get(area, name, maxBytes) {
      const [status, bytes] = await send({ path: `${area}/${name}`, maxBytes });
      if (status === 200) return bytes;
      if (status === 404 || status === 410) return undefined;
      throw new CacheFailure(explainStatus(status));
    },
    async put(area, name, body) {
      const [status] = await send({ path: `${area}/${name}`, body, maxBytes: 64 * 1024 });
      if (status < 200 || status > 299) throw new CacheFailure(explainStatus(status));
    },
  };
}

interface Exchange {
  readonly path: string;
  /** Present to store something. */
  readonly body?: Uint8Array;
  readonly maxBytes: number;
}

class ClosedConnection extends CacheFailure {}

function readBody(response: IncomingMessage, maxBytes: number, onEnd: (bytes: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  response.on('data', (chunk: Uint8Array) => {
    if (size > maxBytes) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) onEnd(Buffer.concat(chunks).subarray(0, maxBytes + 1));
  });
  response.on('end', () => {
    if (size <= maxBytes) onEnd(Buffer.concat(chunks));
  });
}

function explainStatus(status: number): string {
  if (status === 401 || status === 403) return `the server refuses access (status ${status})`;
  if (status === 507 || status === 413) return `the server has no space (status ${status})`;
  if (status >= 300 && status <= 399) return `the server redirects, which is not allowed (status ${status})`;
  return `the server answers with status ${status}`;
}

function describeConnection(error: Error, request: ClientRequest): CacheFailure {
  if (error instanceof CacheFailure) return error;
  const reason = explainConnection(error);
  const { code } = error as NodeJS.ErrnoException;
  const isClosed = request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
  return isClosed ? new ClosedConnection(reason) : new CacheFailure(reason);
}
