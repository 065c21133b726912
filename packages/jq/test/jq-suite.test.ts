import { describe, expect, it } from 'vitest';
import { compile, JqError, parseJson, stringify } from '../src/index.ts';
import { equalValues } from '../src/values/compare.ts';
import { jqSuiteExceptions } from './jq-suite-exceptions.ts';
import { readSuite, type SuiteCase, suiteDirectory } from './read-jq-suite.ts';

const directory = suiteDirectory();
const requiredShare = 0.95;

/** Why a case fails, or `undefined` if it passes. */
function problemWith(suiteCase: SuiteCase): string | undefined {
  try {
    const program = compile(suiteCase.program);
    if (suiteCase.fails) return 'compiled, although it must not';
    return compareOutputs(suiteCase, program);
  } catch (thrown) {
    if (!(thrown instanceof JqError)) return `threw ${String(thrown)}`;
    return suiteCase.fails ? undefined : `did not compile: ${thrown.message}`;
  }
}

function compareOutputs(suiteCase: SuiteCase, program: ReturnType<typeof compile>): string | undefined {
  const outputs: unknown[] = [];
  let failure = '';
  const env = { PAGER: 'less' };
  try {
    for (const output of program.run(parseJson(suiteCase.input), { env })) outputs.push(output);
  } catch (thrown) {
    // jq's own runner compares the outputs before an error and ignores the error
    if (!(thrown instanceof JqError)) throw thrown;
    failure = ` then ${thrown.kind}: ${thrown.message}`;
  }
  const shown = outputs.map((output) => stringify(output as never));
  const expected = suiteCase.outputs.map(parseJson);
  const same =
    shown.length === expected.length && shown.every((text, index) => sameJson(text, expected[index] as never));
  return same ? undefined : `gave ${shown.join(' ').slice(0, 500)}${failure}`;
}

function sameJson(text: string, expected: never): boolean {
  return equalValues(parseJson(text), parseJson(stringify(expected)));
}

describe.skipIf(directory === undefined)("jq's own tests", () => {
  const cases = directory === undefined ? [] : readSuite(directory);
  const problems = new Map<string, string>();
  for (const suiteCase of cases) {
    const problem = problemWith(suiteCase);
    if (problem !== undefined) problems.set(suiteCase.program, problem);
  }

  it(`pass to at least ${requiredShare * 100} %`, () => {
    const failed = cases.filter(({ program }) => problems.has(program)).length;
    console.info(`jq's own tests: ${cases.length - failed} of ${cases.length} pass`);
    expect((cases.length - failed) / cases.length).toBeGreaterThanOrEqual(requiredShare);
  });

  it('fail exactly where an exception is recorded', () => {
    const unexpected = [...problems].filter(([program]) => !Object.hasOwn(jqSuiteExceptions, program));
    expect(unexpected.map(([program, problem]) => `${program} → ${problem}`)).toEqual([]);
    expect(Object.keys(jqSuiteExceptions).filter((program) => !problems.has(program))).toEqual([]);
  });
});

if (directory === undefined) {
  console.warn("jq's own tests are not on this machine; name their directory in KUREL_JQ_SUITE to run them");
  it.skip("jq's own tests: name their directory in KUREL_JQ_SUITE");
}
