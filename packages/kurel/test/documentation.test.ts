import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { blocksOfPages, sessionsOf } from './page-blocks.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

const update = process.env['UPDATE_CASES'] === '1';
const blocks = blocksOfPages();
// tutorials.test.ts runs tutorials from top to bottom, each in its own directory.
const apart = blocks.filter(({ page }) => !page.startsWith('docs/tutorials/'));

describe('examples in the documentation', () => {
  it.each(apart.filter(({ language }) => language === 'console'))(
    '$page:$line prints what it says',
    async ({ page, text }) => {
      let actual = '';
      for (const { line, words, expected } of sessionsOf(text)) {
        const { stdout, stderr } = await runProgram(words);
        actual += `$ ${line}\n${elide(stdout + stderr, expected)}`;
      }
      if (update) replaceInPage(page, text, actual);
      else expect(actual).toBe(text);
    },
  );

  it.each(blocks.filter(({ language }) => language === 'ts'))(
    '$page:$line runs and prints what it says',
    async ({ page, text, output = '' }) => {
      const printed = await runTypeScript(text);
      if (update && output !== '') replaceInPage(page, output, printed);
      else expect(printed).toBe(output);
    },
  );

  it.each(blocks.filter(({ file = '' }) => file.startsWith('examples/')))(
    '$page:$line is the file it names',
    ({ text, file }) => {
      expect(text).toBe(readFileSync(join(repository, file!), 'utf8'));
    },
  );

  it('knows every language it meets', () => {
    const known = ['console', 'ts', 'sh', 'text', '', 'yaml', 'json', 'kpatch', 'diff'];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  });
});

/** With UPDATE_CASES=1, pages get what the program prints now. */
function replaceInPage(page: string, before: string, after: string): void {
  const file = join(repository, page);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(`\n${before}\`\`\``, () => `\n${after}\`\`\``),
  );
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
    const file = join(directory, 'example.ts');
    writeFileSync(file, text);
    console.log = (...values: unknown[]) => lines.push(`${values.map(String).join(' ')}\n`);
    await import(file);
    return lines.join('');
  } finally {
    console.log = log;
    rmSync(directory, { recursive: true, force: true });
  }
}
