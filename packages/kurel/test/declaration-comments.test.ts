import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { filters, postRenderers, renderers, transformers } from '../src/index.ts';
import { connectLanguageServer } from './language-connection.ts';
import type { LanguageConnection } from './language-connection.ts';
import { repository } from './source-tree.ts';

const namespaces = { filters, transformers, renderers, postRenderers };
const members = Object.entries(namespaces).flatMap(([name, value]) => namesIn(value, name));
const declarations = join(repository, 'packages', 'kurel', 'dist', 'types', 'index.js');
const head = `import { ${Object.keys(namespaces).join(', ')} } from ${JSON.stringify(declarations)};\n`;

/** What an editor shows of a name, by name. */
const shown = new Map<string, string>();
let editor: LanguageConnection;

// The declarations as they are built, read by the language server of TypeScript that editors have.
beforeAll(async () => {
  const home = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  editor = await connectLanguageServer({
    args: [join(home, 'bin', 'tsc'), '--lsp', '--stdio'],
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  });
  const textDocument = open('members.ts', `${head}${members.map((name) => `${name};\n`).join('')}`);
  for (const [index, name] of members.entries()) {
    const position = { line: index + 1, character: name.length - 1 };
    const answer = await editor.request('textDocument/hover', { textDocument, position });
    shown.set(name, (answer as { contents: { value: string } } | null)?.contents.value ?? '');
  }
});

afterAll(() => editor.stop());

describe('an editor', () => {
  it('knows the members', () => {
    expect(members).toEqual(
      expect.arrayContaining(['filters.kind', 'filters.labels.has', 'transformers.namespace.set']),
    );
    expect([...shown].filter(([, text]) => !text.startsWith('```typescript\n')).map(([name]) => name)).toEqual([]);
  });

  it('shows a sentence about each of them', () => {
    expect(members.filter((name) => !/^[A-Z].*\.$/s.test(proseOf(name)))).toEqual([]);
  });

  it('shows examples that have the right types', async () => {
    const examples = members.flatMap(examplesOf);
    expect(examples.length).toBeGreaterThan(10);
    const textDocument = open(
      'examples.ts',
      `${head}void [${Object.keys(namespaces).join()}];\n${examples.map((text) => `${text};\n`).join('')}`,
    );
    const { items } = (await editor.request('textDocument/diagnostic', { textDocument })) as { items: unknown };
    expect(items).toEqual([]);
  });
});

function namesIn(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, member]) => namesIn(member, `${path}.${name}`));
  return [path, ...inner];
}

function open(name: string, text: string): { readonly uri: string } {
  const uri = pathToFileURL(join('/', 'declarations', name)).href;
  editor.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } });
  return { uri };
}

/** The text below the type. */
function proseOf(name: string): string {
  return shown
    .get(name)!
    .replace(/^```typescript\n.*?\n```\n/s, '')
    .split('*@example*')[0]!
    .trim();
}

function examplesOf(name: string): readonly string[] {
  return Array.from(shown.get(name)!.matchAll(/\*@example\*\n```\w*\n(.*?)\n```/gs), ([, text]) => text!);
}
