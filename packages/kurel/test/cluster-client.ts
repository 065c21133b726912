import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';

export interface ClusterAddress {
  readonly url: string;
  readonly token: string;
  /** Of the API server. */
  readonly certificate: string;
}

export interface ClusterAnswer<Body> {
  readonly status: number;
  /** What kubectl prints as `Warning: …`. */
  readonly warnings: readonly string[];
  readonly body: Body;
}

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A text is sent as it is, in YAML. */
  readonly body?: string | object;
  /** Defaults to that of the body. */
  readonly type?: string;
}

export interface ClusterEvent<Item> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Item;
}

export interface Watcher<Item> {
  readonly onEvent: (event: ClusterEvent<Item>) => void;
  readonly onFailure: (error: unknown) => void;
}

/** The API of a cluster, as an administrator. */
export interface Cluster {
  /** Asks, whatever the status of the answer. */
  readonly ask: <Body>(path: string, question?: Question) => Promise<ClusterAnswer<Body>>;
  /** Throws if the cluster refuses. */
  readonly get: <Body>(path: string, question?: Question) => Promise<Body>;
  readonly has: (path: string) => Promise<boolean>;
  /** Shows everything that is there and what changes, until the result is called. */
  readonly watch: <Item>(path: string, watcher: Watcher<Item>) => () => void;
  readonly close: () => void;
}

export function openCluster({ url, token, certificate }: ClusterAddress): Cluster {
  const agent = new Agent({ keepAlive: true, ca: certificate });

  function open(
    path: string,
    { method = 'GET', body, type }: Question,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const kind = type ?? (typeof body === 'string' ? 'application/yaml' : 'application/json');
    return new Promise((resolve, reject) => {
      const asked = request(new URL(path, url), {
        method,
        agent,
        ...(signal === undefined ? {} : { signal }),
        headers:
          text === undefined
            ? headers
            : { ...headers, 'content-type': kind, 'content-length': `${Buffer.byteLength(text)}` },
      });
      asked.on('response', resolve);
      asked.on('error', reject);
      asked.end(text);
    });
  }

  async function ask<Body>(path: string, question: Question = {}): Promise<ClusterAnswer<Body>> {
    const response = await open(path, question);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const isJson = response.headers['content-type']?.startsWith('application/json') === true;
    return {
      status: response.statusCode!,
      warnings: response.headersDistinct['warning'] ?? [],
      body: (isJson ? JSON.parse(text) : text) as Body,
    };
  }

  async function get<Body>(path: string, question: Question = {}): Promise<Body> {
    const { status, body } = await ask<Body>(path, question);
    if (status < 300) return body;
    throw new Error(`${question.method ?? 'GET'} ${path}: ${status} ${JSON.stringify(body)}`);
  }

  return {
    ask,
    get,
    has: async (path) => (await ask(path)).status === 200,
    watch<Item>(path: string, { onEvent, onFailure }: Watcher<Item>) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const follow = async (): Promise<void> => {
        while (!signal.aborted) {
          const response = await open(`${path}?watch=true`, {}, signal);
          for await (const line of createInterface({ input: response }))
            onEvent(JSON.parse(line) as ClusterEvent<Item>);
        }
      };
      void follow().catch((error: unknown) => {
        if (!signal.aborted) onFailure(error);
      });
      return () => stopping.abort();
    },
    close: () => agent.destroy(),
  };
}
