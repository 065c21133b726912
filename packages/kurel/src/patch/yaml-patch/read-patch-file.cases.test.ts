import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDiagnostics } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { locateInYaml } from '../../yaml/index.ts';
import { yamlPatchProblems } from './problems.ts';
import { readPatchFile } from './read-patch-file.ts';

const directory = join(import.meta.dirname, 'cases');
const names = readdirSync(directory).sort();

function inputOf(name: string): string | undefined {
  return readdirSync(join(directory, name)).find((file) => file.startsWith('input.'));
}

function readCase(name: string) {
  const path = inputOf(name)!;
  const source = { path, text: readFileSync(join(directory, name, path), 'utf8') };
  const diagnostics: Diagnostic[] = [];
  readPatchFile(source, (diagnostic) => diagnostics.push(diagnostic));
  return { source, diagnostics };
}

describe('what a patch file is refused for', () => {
  it.each(names)('%s', async (name) => {
    const { source, diagnostics } = readCase(name);
    expect(diagnostics).not.toEqual([]);
    const text = formatDiagnostics(diagnostics, { sources: [source], locate: locateInYaml, color: false });
    await expect(text).toMatchFileSnapshot(join(directory, name, 'expected.txt'));
  });

  it('has a case for every problem', () => {
    const reported = new Set(names.flatMap((name) => readCase(name).diagnostics.map(({ code }) => code)));
    for (const code of Object.keys(yamlPatchProblems.definitions)) expect(reported).toContain(code);
  });

  it.each(names)('%s has only the files of a case', (name) => {
    expect(readdirSync(join(directory, name)).sort()).toEqual(['expected.txt', inputOf(name)]);
  });
});
