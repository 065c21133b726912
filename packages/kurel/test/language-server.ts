import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { connectLanguageServer } from './language-connection.ts';

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
  /** The hover text for the word after a `|`. */
  hover(name: string, text: string): Promise<string>;
  stop(): void;
}

/** Starts the language server for YAML that editors use. `schemas` says by file which names it checks with which schema. */
export async function startLanguageServer(schemas: Readonly<Record<string, string>>): Promise<LanguageServer> {
  const require = createRequire(import.meta.url);
  const home = dirname(require.resolve('yaml-language-server/package.json'));
  const findings = new Map<string, (found: readonly EditorFinding[]) => void>();
  const yaml = {
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, path]) => [pathToFileURL(path).href, [name]])),
    schemaStore: { enable: false },
    validate: true,
    completion: true,
    hover: true,
  };
  let documents = 0;
  const { request, notify, stop } = await connectLanguageServer({
    args: [join(home, 'bin', 'yaml-language-server'), '--stdio'],
    capabilities: { workspace: { configuration: true } },
    settings: { yaml },
    onNotification(method, params) {
      if (method !== 'textDocument/publishDiagnostics') return;
      const { uri, diagnostics } = params as {
        uri: string;
        diagnostics: readonly {
          readonly message: string;
          readonly range: { readonly start: { readonly line: number } };
        }[];
      };
      findings.get(uri)?.(diagnostics.map(({ message, range }) => ({ line: range.start.line + 1, message })));
    },
  });
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
    stop,
  };

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
