import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

const pages = ['README.md', ...listFiles(join(repository, 'docs'), '.md').map((path) => `docs/${path}`)];
const blocks = pages.flatMap((page) => blocksOf(page));
// Tutorials are played from top to bottom, in a directory of their own: tutorials.test.ts.
const apart = blocks.filter(({ page }) => !page.startsWith('docs/tutorials/'));

describe('examples in the documentation', () => {
  it.each(apart.filter(({ language }) => language === 'console'))(
    '$page:$line prints what it says',
    async ({ text }) => {
      for (const { words, expected } of sessionsOf(text)) {
        const { stdout, stderr } = await runProgram(words);
        expect(elide(stdout + stderr, expected)).toBe(expected);
      }
    },
  );

  it.each(blocks.filter(({ language }) => language === 'ts'))(
    '$page:$line runs and prints what it says',
    async ({ text, output }) => {
      expect(await runTypeScript(text)).toBe(output ?? '');
    },
  );

  it.each(blocks.filter(({ text }) => namedFile(text) !== undefined))(
    '$page:$line is the file it names',
    ({ text }) => {
      const file = readFileSync(join(repository, namedFile(text)!), 'utf8');
      expect(text.slice(text.indexOf('\n') + 1)).toBe(file);
    },
  );

  it('knows every language it meets', () => {
    const known = ['console', 'ts', 'sh', 'text', '', 'yaml', 'json', 'kpatch', 'diff'];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  });
});

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The `text` block right behind a `ts` block: what the example prints. */
  readonly output: string | undefined;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(repository, page), 'utf8');
  return Array.from(text.matchAll(/^(`{3,})(\w*)\n([^]*?)^\1$(?:\n+^```text\n([^]*?)^```$)?/gm), (match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[2]!,
    text: match[3]!,
    output: match[4],
  }));
}

/** A block that shows a file says so in its first line: `# examples/patch/production.kpatch`. */
function namedFile(text: string): string | undefined {
  return /^# (examples\/\S+)\n/.exec(text)?.[1];
}

/** `$ kurel …` lines with what they print below them; a last line `…` stands for the rest. */
function sessionsOf(text: string): { readonly words: readonly string[]; readonly expected: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((session) => {
      const [line = '', ...rest] = session.split('\n');
      const [program, ...words] = Array.from(
        line.matchAll(/'([^']*)'|(\S+)/g),
        ([, quoted, bare]) => quoted ?? bare ?? '',
      );
      expect(program).toBe('kurel');
      return { words, expected: rest.join('\n') };
    });
}

function elide(actual: string, expected: string): string {
  if (!expected.endsWith('…\n')) return actual;
  const lines = expected.split('\n').length - 2;
  return `${actual.split('\n').slice(0, lines).join('\n')}\n…\n`;
}

async function runTypeScript(text: string): Promise<string> {
  // Inside the repository, so that `kurel` is found the way a user's project finds it.
  const directory = mkdtempSync(join(repository, 'packages', 'kurel', 'test', '.example-'));
  const lines: string[] = [];
  const log = console.log;
  try {
    const outfile = join(directory, 'example.mjs');
    await build({
      stdin: { contents: text, resolveDir: repository, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      conditions: ['kurel-source'],
      logLevel: 'silent',
    });
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    console.log = (...values: unknown[]) => lines.push(`${values.map(String).join(' ')}\n`);
    await import(outfile);
    return lines.join('');
  } finally {
    console.log = log;
    rmSync(directory, { recursive: true, force: true });
  }
}
