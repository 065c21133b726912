import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import * as host from '../src/host/index.ts';
import * as kurel from '../src/index.ts';
import { blocksOfPages } from './page-blocks.ts';
import { listFiles, repository } from './source-tree.ts';

const page = readFileSync(join(repository, 'docs/library.md'), 'utf8');
const prose = page.replaceAll(/^```[^]*?^```$/gm, '');
const types = join(repository, 'packages', 'kurel', 'dist', 'types');

/** The types whose fields the first column of a table lists, by section and first head of the table. */
const tables: Readonly<Record<string, string>> = {
  'Two ways to write options/engine option': 'EngineOptions',
  'jq/option': 'NonNullable<Parameters<typeof filters.jq>[1]>',
  'Renderers/field': 'SourceOptions<unknown>',
  'Renderers/option': 'RendererOptions | HelmOptions | KustomizeOptions',
  'Your own components, traits and policies/component': 'Parameters<typeof defineComponent>[0]',
  'Your own components, traits and policies/trait': 'Parameters<typeof defineTrait>[0]',
  'From a path to files/request': 'BuildRequest',
  'From a path to files/result': 'BuildResult',
  'Cache/option': "NonNullable<RendererOptions['cache']>",
};

/** Tables whose first column lists values, with the object that has them. */
const values: Readonly<Record<string, object>> = {
  'Filters/filter': kurel.filters,
  'Transformers/transformer': kurel.transformers,
  'Post-renderers/post-renderer': kurel.postRenderers,
  'Renderers/renderer': kurel.renderers,
  'Diagnostics/function': kurel,
  'Errors/error': kurel,
};

interface Table {
  readonly key: string;
  readonly rows: readonly (readonly string[])[];
}

const listed = [...prose.matchAll(/^##+ (.*)$([^]*?)(?=^##+ |(?![^]))/gm)].flatMap(([, section = '', text = '']) =>
  Array.from(text.matchAll(/(?:^\|.*\n)+/gm), ([table]): Table => {
    const [head = [], , ...rows] = table
      .trim()
      .split('\n')
      .map((line) =>
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      );
    return { key: `${section}/${head[0]}`, rows };
  }),
);

function namesIn(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([A-Za-z_$][\w$.]*)(?:\([^`]*\))?`/g), ([, name = '']) => name);
}

function typed(): string {
  const lines = ["import { defineComponent, defineTrait, filters, renderers } from 'kurel';"];
  lines.push(
    "import type { BuildRequest, BuildResult, EngineOptions, HelmOptions, KustomizeOptions, RendererOptions, RenderOptions, SourceOptions } from 'kurel';",
  );
  lines.push(
    'type KeysOf<T> = T extends unknown ? keyof T : never;',
    'function has<T>(..._: readonly KeysOf<T>[]): void {}',
  );
  const add = (type: string, names: readonly string[]): void => {
    const fields = names.filter((name) => !name.startsWith('with')).map((name) => JSON.stringify(name.split('.')[0]));
    lines.push(`has<${type}>(${fields.join(', ')});`);
  };
  for (const { key, rows } of listed) {
    for (const [first = '', second = ''] of rows) {
      if (key in tables) add(tables[key]!, namesIn(first));
      if (tables[key] === 'EngineOptions') add('RenderOptions', namesIn(second.split(':')[0]!));
      if (key !== 'Renderers/renderer') continue;
      const [name = ''] = namesIn(first);
      const fields = Array.from(second.matchAll(/`\{ ([^`]*) \}`/g), ([, list = '']) => list.split(', ')).flat();
      const source = `Exclude<Parameters<typeof renderers.${name}>[0], readonly unknown[]>`;
      add(
        source,
        fields.map((field) => field.replace('?', '')),
      );
    }
  }
  return `${lines.join('\n')}\nvoid defineComponent, defineTrait, filters, renderers;\n`;
}

/** Errors of the compiler about these files, with the declarations that users get. */
async function compile(files: Readonly<Record<string, string>>): Promise<string> {
  // Inside the package, so that `kurel` is found the way a user's project finds it.
  const directory = mkdtempSync(join(repository, 'packages', 'kurel', 'test', '.types-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const compilerOptions = {
      target: 'es2024',
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const home = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const call = promisify(execFile)(process.execPath, [
      join(home, 'bin', 'tsc'),
      '-p',
      directory,
      '--pretty',
      'false',
    ]);
    return await call.then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const exported: ReadonlySet<string> = new Set([...Object.keys(kurel), ...Object.keys(host)]);

const verbs =
  /^(?:apply|build|causes|compare|create|define|detect|diagnostics|disk|find|format|lay|list|load|memory|parse|program|read|sort|summar|with|write)(?=[A-Z])/;

describe('docs/library.md', () => {
  it('has examples and tables with the types of the published declarations', { tags: 'slow' }, async () => {
    const snippets = blocksOfPages().filter(({ language }) => language === 'ts');
    const files = snippets.map(({ page, line, text }) => [`${page.replaceAll(/\W/g, '-')}-${line}.ts`, text]);
    expect(await compile({ ...Object.fromEntries(files), 'tables.ts': typed() })).toBe('');
    // The compiler does find a field that does not exist.
    const wrong = typed().replace('has<BuildResult>("ok")', 'has<BuildResult>("okay")');
    expect(await compile({ 'tables.ts': wrong })).toContain('okay');
  });

  it('names only tables that it has', () => {
    const keys = listed.map(({ key }) => key);
    expect(Object.keys({ ...tables, ...values }).filter((key) => !keys.includes(key))).toEqual([]);
  });

  it.each(listed.filter(({ key }) => key in values))('lists what exists in $key', ({ key, rows }) => {
    for (const name of rows.flatMap(([first = '']) => namesIn(first))) {
      const found = name
        .split('.')
        .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], values[key]);
      expect(found, name).toBeTypeOf('function');
    }
  });

  it('names only what is exported or declared', () => {
    const declared = new Set(
      listFiles(types, '.d.ts').flatMap(
        (file) => readFileSync(join(types, file), 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? [],
      ),
    );
    const isWord = (name: string): boolean => /^[a-z]+$/.test(name) || name in globalThis;
    const unknown = namesIn(prose)
      .flatMap((name) => (name.includes('.') ? [] : [name]))
      .filter((name) => !isWord(name) && !exported.has(name) && !declared.has(name));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('names functions that are exported', () => {
    const functions = namesIn(page).filter((name) => /^(?:\w*[a-z])?[A-Z]\w*$/.test(name) && verbs.test(name));
    // Fields and methods that begin like functions.
    const fields = ['applyOrder', 'layoutOptions', 'loadRestrictions', 'readText'];
    expect([...new Set(functions)].filter((name) => !exported.has(name) && !fields.includes(name))).toEqual([]);
  });
});
