import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listFiles, repository } from './source-tree.ts';

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The `text` block right behind a `ts` block: what the example prints. */
  readonly output: string | undefined;
}

/** The fenced blocks of the README and of all pages below docs/. */
export function blocksOfPages(): readonly Block[] {
  const pages = listFiles(join(repository, 'docs'), '.md').map((path) => `docs/${path}`);
  return ['README.md', ...pages].flatMap(blocksOf);
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

/** `$ kurel …` lines with what they print below them; a last line `…` stands for the rest. */
export function sessionsOf(text: string): { readonly words: readonly string[]; readonly expected: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((session) => {
      const [line = '', ...rest] = session.split('\n');
      const [program, ...words] = Array.from(
        line.matchAll(/'([^']*)'|(\S+)/g),
        ([, quoted, bare]) => quoted ?? bare ?? '',
      );
      if (program !== 'kurel') throw new Error(`an example runs kurel, not ${program}`);
      return { words, expected: rest.join('\n') };
    });
}
