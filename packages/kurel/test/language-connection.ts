import { spawn } from 'node:child_process';

/** An editor's end of the protocol that language servers speak. */
export interface LanguageConnection {
  readonly request: (method: string, params: unknown) => Promise<unknown>;
  readonly notify: (method: string, params: unknown) => void;
  readonly stop: () => void;
}

export interface LanguageClient {
  /** Of Node: the script of the server and its words. */
  readonly args: readonly string[];
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** By section, what the editor is configured with. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly onNotification?: (method: string, params: unknown) => void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export async function connectLanguageServer(client: LanguageClient): Promise<LanguageConnection> {
  const server = spawn(process.execPath, client.args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = new Map<number, (message: Message) => void>();
  let pending = Buffer.alloc(0);
  let requests = 0;
  server.stdout.on('data', (data: Buffer) => {
    pending = Buffer.concat([pending, data]);
    for (let message = takeMessage(); message !== undefined; message = takeMessage()) handle(message);
  });
  await request('initialize', { processId: process.pid, rootUri: null, capabilities: client.capabilities });
  notify('initialized', {});
  return { request, notify, stop: () => void server.kill() };

  function takeMessage(): Message | undefined {
    const end = pending.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const length = Number(/Content-Length: (\d+)/i.exec(pending.toString('latin1', 0, end))![1]);
    const body = pending.subarray(end + 4, end + 4 + length);
    if (body.length < length) return undefined;
    pending = pending.subarray(end + 4 + length);
    return JSON.parse(body.toString('utf8')) as Message;
  }

  function handle({ id, method, params, ...answer }: Message): void {
    if (method === undefined) answers.get(id!)?.(answer);
    else if (id === undefined) client.onNotification?.(method, params);
    else if (method === 'workspace/configuration') {
      const { items } = params as { items: readonly { readonly section: string }[] };
      send({ id, result: items.map(({ section }) => client.settings?.[section] ?? {}) });
    } else {
      // Whatever else the server asks for, this editor has no answer.
      send({ id, result: null });
    }
  }

  function send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  function notify(method: string, params: unknown): void {
    send({ method, params });
  }

  function request(method: string, params: unknown): Promise<unknown> {
    requests += 1;
    const id = requests;
    const answered = new Promise((resolve, reject) => {
      answers.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      );
    });
    send({ id, method, params });
    return answered;
  }
}
