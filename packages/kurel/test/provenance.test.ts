import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { repository } from './source-tree.ts';

interface Source {
  readonly name: string;
  readonly file: string;
  readonly licence: string;
  readonly modules?: readonly string[];
  readonly parts?: readonly { readonly module?: string }[];
}

const update = process.env['UPDATE_CASES'] === '1';
const page = join(repository, 'docs', 'provenance.md');
const kurel = join(repository, 'packages', 'kurel');
const schemas = join(kurel, 'schemas');
const manifest: { readonly kubernetes: Source; readonly projects: readonly Source[] } = JSON.parse(
  readFileSync(join(schemas, 'manifest.json'), 'utf8'),
);
const sources = [manifest.kubernetes, ...manifest.projects];
const tableHead = '| file | from | SHA-256 |\n|---|---|---|\n';

describe('the provenance of what is shipped', () => {
  it('has the source and the checksum of every file of data', () => {
    const text = readFileSync(page, 'utf8');
    const start = text.indexOf(tableHead) + tableHead.length;
    const table = readdirSync(schemas).toSorted().map(describeFile).join('');
    if (update) writeFileSync(page, `${text.slice(0, start)}${table}`);
    else expect(text.slice(start)).toBe(table);
  });

  it('has a notice for every module that the data is made from', () => {
    const notice = readFileSync(join(schemas, 'NOTICE.txt'), 'utf8');
    const noticed = Array.from(notice.matchAll(/^(\S+@v\S+): (.+)$/gm), ([line]) => line);
    const used = sources.flatMap((source) => modulesOf(source).map((module) => `${module}: ${source.licence}`));
    expect(new Set(noticed)).toEqual(new Set(used));
    expect(used.length).toBeGreaterThan(20);
  });

  it('names the licence of every source', () => {
    const table = readFileSync(join(repository, 'docs', 'schemas.md'), 'utf8');
    const named = Array.from(
      table.matchAll(/^\| ([^|]+) \| [^|]+ \| (?:Apache|AGPL|kurel)[^|]*\|$/gm),
      ([, name]) => name!,
    );
    expect(sources.map(({ name }) => name).filter((name) => !named.some((cell) => cell.startsWith(name)))).toEqual([]);
    expect(named).toHaveLength(sources.length);
    // Other terms than these have to be looked at by somebody, and explained on the page.
    const other = sources.filter(({ licence }) => licence !== 'Apache-2.0' && licence !== "kurel's own");
    expect(other.map(({ name }) => name)).toEqual(['VolSync']);
    expect(readFileSync(page, 'utf8')).toContain('### VolSync');
    expect(readFileSync(join(kurel, 'NOTICE'), 'utf8')).toContain('VolSync is under AGPL-3.0');
  });

  it('has the version and the licence of every bundled package', () => {
    const notices = readFileSync(join(kurel, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const bundled = notices.split('\n----\n\n').map((notice) => notice.split('\n')[0]!);
    const rows = bundled.map((name) => {
      const path = join(repository, 'node_modules', name, 'package.json');
      const { version, license } = JSON.parse(readFileSync(path, 'utf8'));
      return `| ${name} | ${version} | ${license} |\n`;
    });
    const section = /## Bundled packages\n[^]*?\|---\|---\|---\|\n((?:\|.*\n)*)/.exec(readFileSync(page, 'utf8'))?.[1];
    expect(section).toBe(rows.join(''));
  });
});

function describeFile(file: string): string {
  const sum = createHash('sha256')
    .update(readFileSync(join(schemas, file)))
    .digest('hex');
  const source = sources.find(({ file: stem }) => [`${stem}.jsonl`, `${stem}.words.jsonl.br`].includes(file));
  return `| ${file} | ${source === undefined ? 'all of them' : describeSource(source)} | \`${sum}\` |\n`;
}

function describeSource(source: Source): string {
  const modules = modulesOf(source);
  return modules.length === 0 ? source.licence : modules.join(', ');
}

function modulesOf({ modules, parts = [] }: Source): readonly string[] {
  return modules ?? [...new Set(parts.flatMap(({ module }) => module ?? []))];
}
