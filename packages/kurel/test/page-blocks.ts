import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listFiles, repository } from './source-tree.ts';

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The file that the block shows, named on the line above it: `**`examples/plain/cache.yaml`**`. */
  readonly file: string | undefined;
  /** The `text` block after a `ts` block: what the example prints. */
  readonly output: string | undefined;
}

/** The fenced blocks of the README, of the newest version in the changelog, and of all pages below docs/. */
export function blocksOfPages(): readonly Block[] {
  const pages = listFiles(join(repository, 'docs'), '.md').map((path) => `docs/${path}`);
  return ['README.md', 'CHANGELOG.md', ...pages].flatMap(blocksOf);
}

/** The name of the file, the fence, the language, the text, and the output after it. */
const blockPattern = /^(?:\*\*`([^`\n]+)`\*\*\n\n?)?(`{3,})(\w*)\n([^]*?)^\2$(?:\n+^```text\n([^]*?)^```$)?/gm;

function blocksOf(page: string): Block[] {
  const whole = readFileSync(join(repository, page), 'utf8');
  // Examples of older versions show what those printed.
  const text = page === 'CHANGELOG.md' ? whole.split(/^(?=## \[\d)/m, 2).join('') : whole;
  return Array.from(text.matchAll(blockPattern), (match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    file: match[1],
    language: match[3]!,
    text: match[4]!,
    output: match[5],
  }));
}

/** `$ kurel …` lines with their output; a last line `…` stands for the rest. */
export function sessionsOf(
  text: string,
): { readonly line: string; readonly words: readonly string[]; readonly expected: string }[] {
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
      return { line, words, expected: rest.join('\n') };
    });
}
