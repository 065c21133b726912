import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { createManPages } from '../../../scripts/release/man-pages.ts';
import { commandTable } from '../src/cli/command-table.ts';
import { divideFlags } from '../src/cli/format-help.ts';
import { repository } from './source-tree.ts';

const pages = await createManPages();
const hasGroff = spawnSync('groff', ['--version']).status === 0;

describe('the man pages', () => {
  it('are those that npm installs: one of the program, and one per command', () => {
    const { man } = JSON.parse(readFileSync(join(repository, 'packages', 'kurel', 'package.json'), 'utf8'));
    expect(man).toEqual(pages.map(({ file }) => `./dist/man/${file}`));
    expect(pages).toHaveLength(commandTable.length + 1);
  });

  // Another escape or request would be a character of a text that was not escaped.
  it.each(pages)('$file has only the requests and escapes that are meant', ({ text }) => {
    const lines = text.split('\n');
    const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ')[0]!);
    const allowed = ['.TH', '.SH', '.SS', '.TP', '.PP', '.RS', '.RE', '.nf', '.fi', '.nh', '.ad'];
    expect([...new Set(requests)].filter((request) => !allowed.includes(request))).toEqual([]);
    expect(text.replaceAll(/\\(?:[-e&]|\((?:aq|ga|ha|ti)|f[BR]|\[u[0-9A-F]{4,5}\])/g, '')).not.toMatch(/\\|[^\n -~]/);
    expect(lines.filter((line) => !/^[.']/.test(line)).join('\n')).not.toMatch(/(?<!\\)-/);
  });

  it.each(commandTable)('of $name names every flag and example', async (entry) => {
    const command = await entry.load();
    const text = unescape(pages.find(({ file }) => file === `kurel-${entry.name}.1`)!.text);
    const flags = divideFlags(command).flatMap((section) => section.flags);
    expect(flags.filter(([flag]) => !text.includes(`--${flag}`))).toEqual([]);
    expect((command.examples ?? []).filter(({ line }) => !text.includes(`\n${line}\n`))).toEqual([]);
  });

  it.runIf(hasGroff).each(pages)('$file is rendered without a warning', ({ file, text }) => {
    const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou'], {
      input: text,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const shown = stdout.replaceAll(/[\u2010\u2212]/g, '-');
    expect(shown).toMatch(new RegExp(`^NAME\\n +${file.slice(0, -2)} - [a-z]`, 'm'));
  });
});

/** What a reader sees, without fonts. */
function unescape(text: string): string {
  return text
    .replaceAll(/\\f[BR]|\\&/g, '')
    .replaceAll(/\\\((aq|ga|ha|ti)/g, (_, name: string) => ({ aq: "'", ga: '`', ha: '^', ti: '~' })[name]!)
    .replaceAll(/\\\[u([0-9A-F]+)\]/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll(String.raw`\-`, '-')
    .replaceAll(String.raw`\e`, '\\');
}
