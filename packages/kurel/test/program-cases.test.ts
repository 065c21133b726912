import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseJson } from '@kurel/jq';

import { readYaml } from '../src/yaml/index.ts';
import { expectCaseFile, withCopy } from './check-case.ts';
import { listCases, openCase } from './golden-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { executable } from './kurel-program.ts';
import { programCases, runCase, surroundingsOf, wordsOf } from './program-case.ts';
import { runProgram } from './run-program.ts';

describe('the program', () => {
  it.each(listCases(programCases))('%s', async (name) => {
    const one = openCase(join(programCases, name));
    const actual = await runCase(one);
    expectCaseFile(one, 'expected', actual);
    // The rest is about the sources, whatever they are made into.
    if (executable !== undefined) return;
    expect(await runCase(one), 'a second run gives the same bytes').toBe(actual);
    await checkMeaning(one);
  });
});

/** What is written as YAML reads back as the very data that `--format json` gives. */
async function checkMeaning(one: GoldenCase): Promise<void> {
  const words = wordsOf(one);
  if (words[0] !== 'build' || words.some((word) => /^(?:-o|--output|--format|--help)/.test(word))) return;
  await withCopy(one, 'input', async (workingDirectory) => {
    const environment = { workingDirectory, ...surroundingsOf(one) };
    const yaml = await runProgram(words, environment);
    if (yaml.exitCode !== 0) return;
    const json = await runProgram([...words, '--format', 'json'], environment);
    const { documents, diagnostics } = readYaml({ path: 'stdout', text: yaml.stdout });
    expect(diagnostics).toEqual([]);
    const objects = documents.map(({ data }) => data).filter((data) => data !== undefined);
    expect(objects.length === 1 ? objects[0] : objects).toEqual(parseJson(json.stdout));
  });
}
