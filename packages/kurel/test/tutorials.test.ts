import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { listTutorials, playTutorial, tutorials } from './tutorial.ts';

const update = process.env['UPDATE_CASES'] === '1';

let directory = '';
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'kurel-tutorial-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('tutorials', () => {
  it.each(listTutorials())(
    '%s goes as it says, from an empty directory on',
    async (page) => {
      const text = readFileSync(join(tutorials, page), 'utf8');
      const [work, home] = [join(directory, 'work'), join(directory, 'home')];
      for (const path of [work, home]) mkdirSync(path);
      const played = await playTutorial(text, work, { home });
      if (update) writeFileSync(join(tutorials, page), played);
      else expect(played).toBe(text);
    },
    60_000,
  );
});

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\`\n`;
}

function file(text: string): string {
  return `**\`a.yaml\`**\n${text}`;
}

describe('the player of tutorials', () => {
  it('writes files, makes edits, and shows what commands print', async () => {
    const page = [
      `**\`deploy/a.yaml\`**\n${block('yaml', manifest)}`,
      `**\`deploy/a.yaml\`**\n${block('diff', ' metadata:\n-  name: a\n+  name: b\n+  namespace: c\n')}`,
      block('console', "$ kurel build deploy \\\n    --name 'b'\nold\n$ kurel build deploy --kind x y\n$ echo $?\n0\n"),
      'The end.\n',
    ];
    const played = await playTutorial(page.join('\n'), directory);
    expect(played).toBe(
      [
        ...page.slice(0, 2),
        block(
          'console',
          [
            "$ kurel build deploy \\\n    --name 'b'\n",
            'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  namespace: c\n',
            '$ kurel build deploy --kind x y\n',
            'error[usage]: unexpected argument "y"\n   = hint: see kurel build --help\n',
            '$ echo $?\n2\n',
          ].join(''),
        ),
        'The end.\n',
      ].join('\n'),
    );
  });

  it('inserts the content of files into commands', async () => {
    const page = [
      `**\`name.txt\`**\n${block('text', 'a.yaml\n')}`,
      file(block('yaml', manifest)),
      block('console', `$ kurel build $(cat name.txt)\n${manifest}`),
    ].join('\n');
    expect(await playTutorial(page, directory)).toBe(page);
  });

  it.each([
    { shown: 'apiVersion: v1\n…\n', played: 'apiVersion: v1\n…\n' },
    { shown: '…\n  name: b\n', played: '…\n  name: a\n' },
    { shown: 'old\n…\nold\n', played: 'apiVersion: v1\n…\n  name: a\n' },
    { shown: 'old\n…\nmetadata:\n…\n', played: 'apiVersion: v1\n…\nmetadata:\n…\n' },
    { shown: '…\nmeta:\n…\n', played: manifest },
    { shown: '1\n2\n3\n4\n…\n', played: manifest },
  ])('leaves out what the page leaves out: $shown', async ({ shown, played }) => {
    const page = (output: string) =>
      file(block('yaml', manifest)) + block('console', `$ kurel build a.yaml\n${output}`);
    expect(await playTutorial(page(shown), directory)).toBe(page(played));
  });

  it.each([
    { why: 'an edit that fits nowhere', page: file(block('diff', '-name: x\n+name: y\n')) },
    { why: 'an edit that fits twice', page: file(block('diff', '-same\n+other\n')) },
    { why: 'a program that nobody expects', page: block('console', '$ rm -rf x\n') },
    { why: 'output without a command', page: block('console', 'text\n') },
  ])('refuses $why', async ({ page }) => {
    await expect(playTutorial(file(block('yaml', 'same\nsame\n')) + page, directory)).rejects.toThrow(
      /matches|has no|begins with/,
    );
  });
});
