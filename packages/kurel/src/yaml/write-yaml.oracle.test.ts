import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../model/index.ts';
import { readYaml } from './read-yaml.ts';
import { writeYaml } from './write-yaml.ts';

const oracle = join(import.meta.dirname, '../../../../test/oracles/yaml-writer/cases');

const strings = JSON.parse(readFileSync(join(oracle, 'strings.json'), 'utf8')) as readonly string[];

/** The string in all positions that a string can have. */
function placesOf(text: string): Json {
  return { value: text, key: { [text]: text }, items: [text, [text, { [text]: text }]], last: text };
}

const amounts: Json = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  -2.25,
  1e21,
  1e-7,
  1.5e300,
  5e-324,
  123456789.125,
  2 ** 53 - 1,
  1e20,
  -1e100,
  0.1 + 0.2,
  9007199254740993n,
  -9223372036854775808n,
  18446744073709551615n,
];
const documents: readonly Json[] = [
  ...strings.map(placesOf),
  amounts,
  [[], {}, [[]], [{}], { a: [], b: {} }, null, true, false],
];

describe('written text', () => {
  const texts = documents.map((data) => writeYaml(data));

  it('is the text in the recorded answers of kubectl', async () => {
    await expect(`${JSON.stringify(texts, undefined, 1)}\n`).toMatchFileSnapshot(join(oracle, 'texts.json'));
  });

  it('is read by kubectl as intended, in every case', () => {
    const answers = JSON.parse(keepDigits(readFileSync(join(oracle, 'answers.json'), 'utf8'))) as {
      json?: Json;
      error?: string;
    }[];
    expect(answers.length).toBe(documents.length);
    const misread = documents.filter((data, index) => canonical(answers[index]!.json ?? null) !== canonical(data));
    expect(misread).toEqual([]);
  });

  it.each(['1.1', '1.2'] as const)('is read by a YAML %s reader as intended', (version) => {
    for (const [index, data] of documents.entries()) {
      expect(canonical(parse(texts[index]!, { version, intAsBigInt: true }) as Json)).toBe(canonical(data));
    }
  });

  it('is read by our reader as intended', () => {
    for (const [index, data] of documents.entries()) {
      const { documents: read, diagnostics } = readYaml({ path: 'a.yaml', text: texts[index]! });
      expect(diagnostics).toEqual([]);
      expect(canonical(read[0]!.data!)).toBe(canonical(data));
    }
  });
});

/** Data as comparable text: numbers of any type, and objects with keys in any order, because the oracle sorts keys. */
function canonical(data: Json): string {
  if (Array.isArray(data)) return `[${data.map((item: Json) => canonical(item)).join()}]`;
  if (typeof data === 'string') return data.startsWith('\0#') ? canonicalNumber(data.slice(2)) : JSON.stringify(data);
  if (typeof data === 'number' || typeof data === 'bigint') return canonicalNumber(String(data));
  if (typeof data !== 'object' || data === null) return String(data);
  const entries = Object.entries(data).map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`);
  return `{${entries.toSorted().join()}}`;
}

function canonicalNumber(digits: string): string {
  return /^-?\d+$/u.test(digits)
    ? String(BigInt(digits))
    : Number.isSafeInteger(Number(digits))
      ? String(BigInt(Number(digits)))
      : String(Number(digits));
}

/** JSON numbers as marked strings, because JSON.parse rounds them. */
function keepDigits(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu, (token) =>
    token.startsWith('"') ? token : `"\\u0000#${token}"`,
  );
}
