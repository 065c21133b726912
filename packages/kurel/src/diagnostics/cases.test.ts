import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Location, Range, SourceFile } from '../model/index.ts';
import { formatDiagnostics, toJson, toSarif } from './index.ts';

const casesDirectory = join(import.meta.dirname, 'cases');
const definitions = { 'yaml-duplicate-key': { severity: 'error', summary: 'A mapping has a key twice.' } } as const;

function readSources(directory: string): readonly SourceFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: path.slice(directory.length + 1), text: readFileSync(path, 'utf8') }));
}

/** A path of the cases is a text to look for and which of its occurrences; `at: key` means to the end of the file. */
function locate({ text }: SourceFile, { path = [], at }: Location): Range | undefined {
  const [wanted, occurrence = 0] = path;
  let start = text.indexOf(String(wanted));
  for (let skipped = 0; skipped < Number(occurrence); skipped += 1) start = text.indexOf(String(wanted), start + 1);
  if (start === -1) return undefined;
  return { start, end: at === 'key' ? text.length : start + String(wanted).length };
}

describe('cases', () => {
  for (const name of readdirSync(casesDirectory).sort()) {
    const directory = join(casesDirectory, name);
    const diagnostics = JSON.parse(readFileSync(join(directory, 'diagnostics.json'), 'utf8')) as readonly Diagnostic[];
    const options = { sources: readSources(join(directory, 'sources')), locate };

    it(`${name} as text`, async () => {
      const text = formatDiagnostics(diagnostics, { ...options, color: false });
      await expect(text).toMatchFileSnapshot(join(directory, 'expected.txt'));
    });

    it(`${name} on a narrow terminal`, async () => {
      const text = formatDiagnostics(diagnostics, { ...options, color: false, width: 48 });
      await expect(text).toMatchFileSnapshot(join(directory, 'expected.narrow.txt'));
    });

    it(`${name} as JSON`, async () => {
      await expect(toJson(diagnostics, options)).toMatchFileSnapshot(join(directory, 'expected.json'));
    });

    it(`${name} as SARIF`, async () => {
      const text = toSarif(diagnostics, { ...options, toolVersion: '1.2.3', definitions });
      await expect(text).toMatchFileSnapshot(join(directory, 'expected.sarif'));
    });

    it.each([undefined, 48])(`${name} is the same with colours taken off, in %j columns`, (width) => {
      const painted = formatDiagnostics(diagnostics, { ...options, color: true, width });
      // oxlint-disable-next-line no-control-regex -- the sequences under test begin with one
      const plain = painted.replace(/\u001b\[[\d;]*m/g, '');
      expect(painted).not.toBe(plain);
      expect(plain).toBe(formatDiagnostics(diagnostics, { ...options, color: false, width }));
    });

    it(`${name} has only the files of a case`, () => {
      const files = [
        'diagnostics.json',
        'sources',
        ...['json', 'sarif', 'txt', 'narrow.txt'].map((end) => `expected.${end}`),
      ];
      expect(readdirSync(directory).filter((file) => !files.includes(file))).toEqual([]);
    });
  }
});
