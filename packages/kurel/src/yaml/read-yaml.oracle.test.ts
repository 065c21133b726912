import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { isJsonObject } from '../model/index.ts';
import { readYaml } from './read-yaml.ts';

const oracles = join(import.meta.dirname, '../../../../test/oracles/yaml');

interface Answer {
  readonly data?: unknown;
  readonly null?: true;
  readonly error?: string;
}

interface Scalar {
  readonly text: string;
  readonly value: Answer;
  readonly key: Answer;
}

interface Document extends Answer {
  readonly name: string;
  readonly yaml: string;
}

const rounded = 'kubectl rounds integers beyond 64 bits; we keep them, and so does our output';
const nonSpecific = 'kustomize does not read a value with this tag as a string';
const tags = 'a tag without a meaning in Kubernetes would be dropped silently';
const binary = 'kubectl decodes the bytes and may break them; Kubernetes expects the base64 text';

const scalarDifferences: Readonly<Record<string, string>> = {
  'value -9223372036854775809': rounded,
  'value 18446744073709551616': rounded,
  'value +18446744073709551615': rounded,
  'key +18446744073709551615': rounded,
  'value 123456789012345678901234567890': rounded,
  'value ! 1': nonSpecific,
  'key ! 1': nonSpecific,
  'value ! yes': nonSpecific,
  'key ! yes': nonSpecific,
  'key !!str': 'the colon belongs to the tag in YAML 1.2, and no such tag exists',
  'value !foo a': tags,
  'key !foo a': tags,
  'value !!binary aGk=': binary,
  'key !!binary aGk=': binary,
};

const glued = 'YAML requires a blank before a comment';

const finalBreak = 'kubectl adds a final line break before this reader sees the text';

const documentDifferences: Readonly<Record<string, string>> = {
  'literal at end without break': finalBreak,
  'literal keep at end without break': finalBreak,
  'literal only blanks at end': finalBreak,
  'literal keep only blanks at end': finalBreak,
  'literal keep blanks after text at end': finalBreak,
  'literal root column 0': 'kubectl drops the text at column 0, which it does not count as part of the document',
  'flow adjacent plain': 'a colon before a bracket ends a key in YAML 1.2, and this has two',
  'flow colon end': 'a colon before a bracket ends a key in YAML 1.2; for kubectl it is part of the key',
  'flow dash': 'YAML 1.2 allows no lone dash in brackets',
  'comment glued to quoted': glued,
  'comment glued to flow': glued,
  'number and text key': 'both keys are the same in JSON; kubectl keeps a random one of them',
  'quoted key no space': 'kubectl drops the rest; YAML requires a space after the colon',
  'tab in plain continuation': 'kubectl allows a tab there only after enough spaces',
  'tag non-specific': nonSpecific,
  'tag custom': tags,
};

const refused = Symbol('refused');

function readOwn(text: string): Json | typeof refused {
  const { documents, diagnostics } = readYaml({ path: 'oracle.yaml', text });
  return diagnostics.length > 0 ? refused : (documents[0]?.data ?? null);
}

function readAnswer(answer: Answer): Json | typeof refused {
  return answer.error === undefined ? restoreIntegers((answer.data ?? null) as Json) : refused;
}

function restoreIntegers(data: Json): Json {
  if (Array.isArray(data)) return data.map((item: Json) => restoreIntegers(item));
  if (!isJsonObject(data)) return data;
  if (typeof data['$bigint'] === 'string') return BigInt(data['$bigint']);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, restoreIntegers(value)]));
}

/** Names of the cases in which two readings differ; `-0` and `0` are different. */
function findDifferences(cases: readonly { readonly name: string; readonly own: unknown; readonly answer: unknown }[]) {
  return cases
    .filter(({ own, answer }) => {
      try {
        expect(own).toStrictEqual(answer);
        return false;
      } catch {
        return true;
      }
    })
    .map(({ name }) => name);
}

function load(file: string): unknown {
  return JSON.parse(readFileSync(join(oracles, file), 'utf8'));
}

describe('reading as kubectl reads', () => {
  const scalars = load('scalars.json') as readonly Scalar[];
  const documents = load('documents.json') as readonly Document[];

  it('has enough cases', () => {
    expect(scalars.length).toBeGreaterThan(350);
    expect(documents.length).toBeGreaterThan(400);
  });

  it('agrees on scalars except for the intended differences', () => {
    const cases = scalars.flatMap(({ text, value, key }) => {
      const asValue = readOwn(`v: ${text}\n`);
      const asKey = readOwn(`${text}: x\n`);
      return [
        { name: `value ${text}`, own: isJsonObject(asValue) ? asValue['v'] : asValue, answer: readAnswer(value) },
        { name: `key ${text}`, own: isJsonObject(asKey) ? Object.keys(asKey)[0] : asKey, answer: readAnswer(key) },
      ];
    });
    expect(findDifferences(cases)).toEqual(
      cases.map(({ name }) => name).filter((name) => Object.hasOwn(scalarDifferences, name)),
    );
    expect(Object.keys(scalarDifferences).filter((name) => !cases.some((one) => one.name === name))).toEqual([]);
  });

  it('agrees on documents except for the intended differences', () => {
    const cases = documents.map((document) => ({
      name: document.name,
      own: readOwn(document.yaml),
      answer: readAnswer(document),
    }));
    expect(findDifferences(cases)).toEqual(
      cases.map(({ name }) => name).filter((name) => Object.hasOwn(documentDifferences, name)),
    );
    expect(Object.keys(documentDifferences).filter((name) => !cases.some((one) => one.name === name))).toEqual([]);
  });

  it.each([
    ['\\r\\n', (text: string) => text.replaceAll('\n', '\r\n')],
    ['\\r', (text: string) => text.replaceAll('\n', '\r')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
  ])('reads the same with %s', { tags: 'slow' }, (_, change) => {
    const plain = documents.filter(({ yaml }) => !yaml.includes('\r') && !yaml.startsWith('\ufeff'));
    expect(plain.map(({ yaml }) => readOwn(change(yaml)))).toStrictEqual(plain.map(({ yaml }) => readOwn(yaml)));
  });
});
