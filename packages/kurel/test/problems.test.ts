import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { bugProblems } from '../src/cli/describe-failure.ts';
import { cliProblems } from '../src/cli/problems.ts';
import { usageProblems } from '../src/cli/usage-error.ts';
import { hostProblems } from '../src/host/index.ts';
import type { ProblemSummary } from '../src/diagnostics/index.ts';
import { spellSummary } from '../src/cli/spell-findings.ts';
import { problemDefinitions } from '../src/problem-definitions.ts';
import { readTexts } from './golden-case.ts';
import { runProgram } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

const shown = new Set(
  ['packages/kurel/src', 'packages/kurel/test', 'test/hostile'].flatMap((folder) =>
    codesShown(join(repository, folder)),
  ),
);

describe('every finding', () => {
  const tables = [
    problemDefinitions,
    hostProblems.definitions,
    cliProblems.definitions,
    usageProblems.definitions,
    bugProblems.definitions,
  ] as const;
  const codes = tables.flatMap((table) => Object.keys(table));

  it('says how to fix it', () => {
    const all = tables.flatMap((table) => Object.entries<ProblemSummary>(table));
    const unfixed = all.filter(([, summary]) => !/^[A-Z].*\.$/s.test(spellSummary(summary).fix));
    expect(unfixed.map(([code]) => code)).toEqual([]);
  });

  it('is explained by kurel help with an example', async () => {
    for (const code of codes) {
      const { exitCode, stdout } = await runProgram(['help', code]);
      expect({ code, exitCode }).toEqual({ code, exitCode: 0 });
      expect(stdout, code).toMatch(/^Example:\n {2}(?:error|warning|note)\[/m);
    }
  });

  it('is shown by a case or a test', () => {
    expect(codes.filter((code) => !shown.has(code))).toEqual([]);
  });

  it('has a code of its own, in words', () => {
    // Modules are put together by name, which would hide that two of them use one code.
    const source = join(repository, 'packages', 'kurel', 'src');
    const files = listFiles(source, '.ts').filter((path) => !path.endsWith('.test.ts'));
    const defining = files.filter((path) => path.endsWith('problems.ts') || definesProblems(join(source, path)));
    const defined = defining.flatMap((path) =>
      codesIn(
        readFileSync(join(source, path), 'utf8'),
        /^  '([a-z]+(?:-[\w]+)+)': \{\n(?:    \/\/.*\n)*    (?:severity:|summary:|\.\.\.)/gm,
      ),
    );
    // The only code that is a single word, as fields of other tables are.
    expect([...defined, 'usage'].toSorted()).toEqual(codes.toSorted());
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^[a-z]+(?:-[a-z0-9]+)+$/.test(code))).toEqual(['usage']);
  });
});

/** Handlers of the catalog have their tables in their own files. */
function definesProblems(file: string): boolean {
  return readFileSync(file, 'utf8').includes('defineProblems(() => ({');
}

/** Codes as cases print them (`error[code]`, `"code": "…"`) and as tests name them. A SARIF log lists all rules, found or not. */
function codesShown(directory: string): readonly string[] {
  const tests = listFiles(directory, '.test.ts');
  return [
    ...readTexts(directory, /(?:^|\/)expected(?:\.txt|\.json)?$/).flatMap(({ text }) =>
      codesIn(text, /\b(?:error|warning|note)\[([\w-]+)\]|"code": "([\w-]+)"/g),
    ),
    ...tests.flatMap((path) => codesIn(readFileSync(join(directory, path), 'utf8'), /\b([a-z]+(?:-[a-z0-9]+)+)\b/g)),
  ];
}

function codesIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, first, second]) => first ?? second!);
}
