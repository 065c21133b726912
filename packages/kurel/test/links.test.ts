import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

import { listFiles, repository } from './source-tree.ts';

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter((path) =>
    existsSync(join(repository, path)),
  ),
  ...['docs', 'bench', 'fuzz', 'examples', 'test', 'packages'].flatMap((folder) =>
    listFiles(join(repository, folder), '.md').map((path) => `${folder}/${path}`),
  ),
].filter((path) => !/\/(?:cases|data|input)\//.test(path));

describe('links in the documentation', () => {
  it.each(pages)('%s leads to files and headings that exist', (page) => {
    const broken = linksIn(readProse(page)).filter((link) => !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });

  it('leads from the README to every page', () => {
    const found = new Set(['README.md']);
    for (const page of found) {
      for (const link of linksIn(readProse(page))) {
        const target = targetOf(page, link);
        if (target.endsWith('.md') && existsSync(join(repository, target))) found.add(target);
      }
    }
    expect(pages.filter((page) => page.startsWith('docs/') && !found.has(page))).toEqual([]);
  });
});

/** Without what is an example: links in blocks of code, and between backticks, are nobody's links. */
function readProse(page: string): string {
  const text = readFileSync(join(repository, page), 'utf8');
  return text.replaceAll(/^(`{3,})\w*\n[^]*?^\1$/gm, '').replaceAll(/`[^`\n]+`/g, (code) => code.replace('](', '] ('));
}

function linksIn(prose: string): readonly string[] {
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!).filter((link) => !/^\w+:/.test(link));
}

function targetOf(page: string, link: string): string {
  const [path = ''] = link.split('#');
  return path === '' ? page : relative(repository, join(repository, dirname(page), path)).replaceAll('\\', '/');
}

function leadsSomewhere(page: string, link: string): boolean {
  const target = targetOf(page, link);
  if (target.startsWith('..') || !existsSync(join(repository, target))) return false;
  const anchor = link.split('#')[1];
  if (anchor === undefined) return true;
  return statSync(join(repository, target)).isFile() && anchorsOf(target).has(anchor);
}

/** The names that GitHub gives to headings; of equal ones the second is called `name-1`. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading] of readProse(page).matchAll(/^#{1,6} (.*)$/gm)) {
    const name = heading!
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let unique = name;
    for (let count = 1; anchors.has(unique); count++) unique = `${name}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}
