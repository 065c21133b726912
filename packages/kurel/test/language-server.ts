import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface EditorFinding {
  readonly line: number;
  readonly message: string;
}

/** An editor's side of a language server. */
export interface LanguageServer {
  /** Opens a text under a name; gives what the server finds wrong with it, by line. */
  check(name: string, text: string): Promise<readonly EditorFinding[]>;
  /** What the server proposes where the text has a `|`. */
  complete(name: string, text: string): Promise<readonly string[]>;
  /** What the server says of the word behind a `|`. */
  hover(name: string, text: string): Promise<string>;
  stop(): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Starts the language server for YAML that editors use. `schemas` says by file which names it checks with which schema. */
export async function startLanguageServer(schemas: Readonly<Record<string, string>>): Promise<LanguageServer> {
  const require = createRequire(import.meta.url);
  const home = dirname(require.resolve('yaml-language-server/package.json'));
  const server = spawn(process.execPath, [join(home, 'bin', 'yaml-language-server'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = new Map<number, (message: Message) => void>();
  const findings = new Map<string, (found: readonly EditorFinding[]) => void>();
  const yaml = {
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, path]) => [pathToFileURL(path).href, [name]])),
    schemaStore: { enable: false },
    validate: true,
    completion: true,
    hover: true,
  };
  let pending = Buffer.alloc(0);
  let requests = 0;
  let documents = 0;
  server.stdout.on('data', (data: Buffer) => {
    pending = Buffer.concat([pending, data]);
    for (let message = takeMessage(); message !== undefined; message = takeMessage()) handle(message);
  });

  const capabilities = { workspace: { configuration: true } };
  await request('initialize', { processId: process.pid, rootUri: null, capabilities });
  notify('initialized', {});
  notify('workspace/didChangeConfiguration', { settings: { yaml } });
  return {
    check: async (name, text) => (await open(name, text)).found,
    async complete(name, text) {
      const { items } = (await askAt('textDocument/completion', name, text)) as {
        items: readonly { readonly label: string }[];
      };
      return items.map(({ label }) => label);
    },
    async hover(name, text) {
      const answer = (await askAt('textDocument/hover', name, text)) as { contents: { value: string } } | null;
      return answer?.contents.value ?? '';
    },
    stop: () => void server.kill(),
  };

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
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as {
        uri: string;
        diagnostics: readonly {
          readonly message: string;
          readonly range: { readonly start: { readonly line: number } };
        }[];
      };
      findings.get(uri)?.(diagnostics.map(({ message, range }) => ({ line: range.start.line + 1, message })));
    } else if (method === 'workspace/configuration') {
      const { items } = params as { items: readonly { readonly section: string }[] };
      send({ id: id!, result: items.map(({ section }) => (section === 'yaml' ? yaml : {})) });
    } else if (method !== undefined) {
      // Whatever else the server asks for, this editor has nothing to say.
      if (id !== undefined) send({ id, result: null });
    } else answers.get(id!)?.(answer);
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

  async function open(name: string, text: string): Promise<{ uri: string; found: readonly EditorFinding[] }> {
    documents += 1;
    const uri = `file:///${documents}/${name}`;
    const found = new Promise<readonly EditorFinding[]>((resolve) => findings.set(uri, resolve));
    notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return { uri, found: await found };
  }

  async function askAt(method: string, name: string, marked: string): Promise<unknown> {
    const before = marked.slice(0, marked.indexOf('|'));
    const { uri } = await open(name, marked.replace('|', ''));
    const lines = before.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)!.length };
    return request(method, { textDocument: { uri }, position });
  }
}
