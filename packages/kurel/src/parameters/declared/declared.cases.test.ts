import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDiagnostics } from '../../diagnostics/index.ts';
import type { Diagnostic, SourceFile } from '../../model/index.ts';
import { locateInYaml, writeYaml } from '../../yaml/index.ts';
import { declaredProblems, fillApplication } from './index.ts';
import { readPackage, readLayers, resolvePackage } from './read-package-cases.ts';

const directory = join(import.meta.dirname, 'cases');
const names = readdirSync(directory).toSorted();

// A case is a directory with a `kurel.yaml`, perhaps an `app.yaml`, values files, and `set.txt` with an assignment on each
// line; `expected.yaml` is the application with its parameters filled in and `expected.txt` what is found.
describe('declared parameters', () => {
  it.each(names)('%s', async (name) => {
    const { filled, text } = runCase(name);
    await expectFile(filled, join(directory, name, 'expected.yaml'));
    await expectFile(text, join(directory, name, 'expected.txt'));
  });

  it('have a case for everything that can be found', () => {
    const codes = new Set(names.flatMap((name) => runCase(name).diagnostics.map(({ code }) => code)));
    expect(Object.keys(declaredProblems.definitions).filter((code) => !codes.has(code))).toEqual([]);
  });
});

async function expectFile(text: string | undefined, path: string): Promise<void> {
  if (text === undefined) expect(existsSync(path)).toBe(false);
  else await expect(text).toMatchFileSnapshot(path);
}

interface Outcome {
  readonly filled: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string | undefined;
}

function runCase(name: string): Outcome {
  const read = (path: string): SourceFile | undefined => {
    const file = join(directory, name, path);
    return existsSync(file) ? { path, text: readFileSync(file, 'utf8') } : undefined;
  };
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const source = read('kurel.yaml')!;
  const files = [read('values.yaml'), read('values-2.yaml')].filter((file) => file !== undefined);
  const layers = readLayers(files, read('set.txt')?.text.trimEnd().split('\n') ?? []);
  const declarations = readPackage(source, report);
  const values = found.length === 0 ? resolvePackage(declarations, layers, report) : undefined;
  const app = read('app.yaml');
  const filled = app && values && fillApplication(app, values, { report });
  const sources = [source, ...layers.map((layer) => layer.source), ...(app === undefined ? [] : [app])];
  return {
    filled: filled && writeYaml(filled.data),
    diagnostics: found,
    text: found.length === 0 ? undefined : formatDiagnostics(found, { sources, locate: locateInYaml, color: false }),
  };
}
