import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../test/check-case.ts';
import { listCases, openCase } from '../../test/golden-case.ts';
import type { GoldenCase } from '../../test/golden-case.ts';
import type { Diagnostic, Location, Range, SourceFile } from '../model/index.ts';
import { formatDiagnostics, toJson, toSarif } from './index.ts';

const casesDirectory = join(import.meta.dirname, 'cases');
const definitions = { 'yaml-duplicate-key': { severity: 'error', summary: 'An object has a key twice.' } } as const;

function readSources(one: GoldenCase): readonly SourceFile[] {
  return one
    .list()
    .filter((path) => path.startsWith('sources/'))
    .map((path) => ({ path: path.slice('sources/'.length), text: one.read(path) }));
}

/** In these cases, a path is a string to search for and the index of its occurrence; `at: key` extends it to the end of the file. */
function locate({ text }: SourceFile, { path = [], at }: Location): Range | undefined {
  const [wanted, occurrence = 0] = path;
  let start = text.indexOf(String(wanted));
  for (let skipped = 0; skipped < Number(occurrence); skipped += 1) start = text.indexOf(String(wanted), start + 1);
  if (start === -1) return undefined;
  return { start, end: at === 'key' ? text.length : start + String(wanted).length };
}

describe('cases', () => {
  for (const name of listCases(casesDirectory)) {
    const one = openCase(join(casesDirectory, name));
    const diagnostics = JSON.parse(one.read('diagnostics.json')) as readonly Diagnostic[];
    const options = { sources: readSources(one), locate };

    it(`${name} as text`, () => {
      const text = formatDiagnostics(diagnostics, { ...options, color: false });
      expectCaseFile(one, 'expected.txt', text);
    });

    it(`${name} on a narrow terminal`, () => {
      const text = formatDiagnostics(diagnostics, { ...options, color: false, width: 48 });
      expectCaseFile(one, 'expected.narrow.txt', text);
    });

    it(`${name} as JSON`, () => {
      expectCaseFile(one, 'expected.json', toJson(diagnostics, options));
    });

    it(`${name} as SARIF`, () => {
      const text = toSarif(diagnostics, { ...options, toolVersion: '1.2.3', definitions });
      expectCaseFile(one, 'expected.sarif', text);
    });

    it.each([undefined, 48])(`${name} is the same without colours, in %j columns`, (width) => {
      const painted = formatDiagnostics(diagnostics, { ...options, color: true, width });
      // oxlint-disable-next-line no-control-regex -- the sequences under test begin with one
      const plain = painted.replace(/\u001b\[[\d;]*m/g, '');
      expect(painted).not.toBe(plain);
      expect(plain).toBe(formatDiagnostics(diagnostics, { ...options, color: false, width }));
    });

    it(`${name} has only the files of a case`, () => {
      const files = ['diagnostics.json', ...['json', 'sarif', 'txt', 'narrow.txt'].map((end) => `expected.${end}`)];
      expect(one.list().filter((file) => !file.startsWith('sources/') && !files.includes(file))).toEqual([]);
    });
  }
});
