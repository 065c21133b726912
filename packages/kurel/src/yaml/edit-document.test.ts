import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { editDocument, editText } from './edit-document.ts';
import { readYaml } from './read-yaml.ts';

type Mutable = { [key: string | number]: Mutable };

const directory = join(import.meta.dirname, 'edit-cases');

/** `=== title [flags]`, then the parts `~~~ input`, `~~~ edit` and `~~~ expected`; a blank line ends a case. */
function parseCases(text: string) {
  return text
    .split(/^=== /mu)
    .slice(1)
    .map((block) => {
      const [head = '', ...parts] = block.split(/^~~~ (?:input|edit|expected)\n/mu);
      const [, title = '', flags = ''] = /^([^[\n]*?)(?: \[(.*)\])?\n/u.exec(head)!;
      const finish = (part = '') => {
        const ended = flags.includes('no final break') ? part.replace(/\n$/u, '') : part;
        return flags.includes('crlf') ? ended.replaceAll('\n', '\r\n') : ended;
      };
      const [input, edits = '', expected = ''] = parts;
      return { title, flags, input: finish(input), edits, expected: finish(expected.replace(/\n\n$/u, '\n')) };
    });
}

function parseValue(text: string): Json {
  return readYaml({ path: 'edit', text }).documents[0]?.data ?? null;
}

function asMutable(text: string): Mutable {
  return parseValue(text) as unknown as Mutable;
}

function parsePath(text: string): (string | number)[] {
  if (text.startsWith('[')) return parseValue(text) as (string | number)[];
  return text.split('.').map((step) => (/^\d+$/u.test(step) ? Number(step) : step));
}

/** One line of `~~~ edit`: `set PATH JSON`, `insert PATH JSON`, `delete PATH`, `move PATH INDEX` or `wanted JSON`. */
function applyEdit(data: Mutable, line: string): Mutable {
  const [, word, rest = ''] = /^(\w+) (.*)$/u.exec(line)!;
  if (word === 'wanted') return asMutable(rest);
  const [, pathText = '', value = ''] = /^(\[.*?\]|\S+) ?(.*)$/u.exec(rest)!;
  const path = parsePath(pathText);
  const last = path.pop()!;
  const parent = path.reduce((at, step) => at[step]!, data);
  if (word === 'set') parent[last] = asMutable(value);
  else if (word === 'delete' && !Array.isArray(parent)) delete parent[last];
  else {
    const list = parent as unknown as Mutable[];
    const [item] = word === 'insert' ? [asMutable(value)] : list.splice(Number(last), 1);
    if (word === 'insert') list.splice(Number(last), 0, item!);
    if (word === 'move') list.splice(Number(value), 0, item!);
  }
  return data;
}

for (const file of readdirSync(directory).toSorted()) {
  describe(`editDocument: ${file}`, () => {
    const cases = parseCases(readFileSync(join(directory, file), 'utf8'));
    it.each(cases)('$title', ({ input, edits, expected, flags }) => {
      const source = { path: 'input.yaml', text: input };
      const document = readYaml(source).documents[0] ?? { range: { start: 0, end: input.length }, data: null };
      const lines = edits.split('\n').filter((line) => line !== '');
      // Aliases may share objects; an edit must not affect more than its path.
      const copy = structuredCopy(document.data ?? null) as unknown as Mutable;
      const wanted = lines.reduce((data, line) => applyEdit(data, line), copy) as unknown as Json;
      const { text, printed } = editText(source, document.range, { wanted });
      const { start, end } = document.range;
      expect(input.slice(0, start) + text + input.slice(end)).toBe(expected);
      expect(printed).toBe(/prints (\w+)/u.exec(flags)?.[1] ?? 'nothing');
      const known = { wanted, parsed: document.data };
      expect(editDocument(source, document.range, known)).toBe(text);
      expect(editDocument(source, document.range, { wanted: document.data ?? null })).toBe(input.slice(start, end));
    });
  });
}

function structuredCopy(data: Json): Json {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map((item: Json) => structuredCopy(item));
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, structuredCopy(value)]));
}
