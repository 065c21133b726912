import { describe, expect, it } from 'vitest';

import { createBudget } from '../budget/index.ts';
import { memoryFileSystem } from '../forms/index.ts';
import type { Budget, Diagnostic } from '../model/index.ts';
import { readFleet } from './read-fleet.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n';

function fill(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(', ');
}

interface Spent {
  readonly targets: number | undefined;
  readonly codes: readonly string[];
  readonly fleetSteps: number;
  readonly patternSteps: number;
}

async function read(spec: string, budget: Budget = createBudget()): Promise<Spent> {
  const diagnostics: Diagnostic[] = [];
  const fileSystem = memoryFileSystem({ 'a.yaml': 'a: 1\n' });
  const source = { path: 'kurel.fleet.yaml', text: `${head}${spec}` };
  const fleet = await readFleet({ source, fileSystem, budget, report: (one) => void diagnostics.push(one) });
  const used = ({ limit, left }: Budget['values']): number => limit - left;
  return {
    targets: fleet?.targets.length,
    codes: diagnostics.map(({ code }) => code),
    fleetSteps: used(budget.fleetSteps),
    patternSteps: used(budget.patternSteps),
  };
}

function matrix(count: number, rest: string): string {
  const clusters = fill(count, (at) => `c${at}: {}`);
  const applications = fill(count, (at) => `a${at}: {package: a.yaml}`);
  return `  clusters: {${clusters}}\n  applications: {${applications}}\n${rest}`;
}

const outputs = "output: 'out/{cluster}/{app}'";

describe('the steps to read a fleet file', () => {
  const groups = (count: number): string => {
    const list = fill(
      count,
      (at) =>
        `g${at}: {extends: [${[at - 1, at - 2]
          .filter((one) => one >= 0)
          .map((one) => `g${one}`)
          .join(', ')}]}`,
    );
    return `  groups: {${list}}\n  targets: [{name: a, package: a.yaml, output: out, extends: [g${count - 1}]}]\n`;
  };
  const optional = (count: number): string =>
    matrix(10, `  defaults: {${outputs}, optionalValues: [${fill(count, (at) => `v${at}.yaml`)}]}\n  matrix: [{}]\n`);
  const exclude = (count: number): string =>
    matrix(
      30,
      `  defaults: {${outputs}}\n  matrix: [{exclude: [${fill(count, (at) => `{application: 'a*${at % 30}', cluster: '*${at % 30}'}`)}]}]\n`,
    );

  it.each<readonly [string, (count: number) => string, number]>([
    // Each group has all those before it, so that twice as many have four times as many levels.
    ['groups that extend two others', groups, 4.2],
    ['optional values files', optional, 2.1],
    ['exclusions of a matrix', exclude, 2.1],
  ])('are counted, and do not multiply: %s', async (_, make, most) => {
    const [some, twice] = [await read(make(200)), await read(make(400))];
    expect(some.targets).toBeGreaterThan(0);
    expect(twice.fleetSteps / some.fleetSteps).toBeGreaterThan(1);
    expect(twice.fleetSteps / some.fleetSteps).toBeLessThan(most);
  });

  it('try each pattern once for each name', async () => {
    const [some, more] = [await read(exclude(30)), await read(exclude(3000))];
    expect(more.patternSteps).toBe(some.patternSteps);
  });

  it.each<readonly [string, string]>([
    ['groups', groups(300)],
    ['optional values', optional(3000)],
    ['exclusions', exclude(6000)],
    ['long texts', matrix(30, `  defaults: {${outputs}, instance: ${'x'.repeat(5000)}}\n  matrix: [{}]\n`)],
    ['placeholders', matrix(30, `  defaults: {${outputs}, instance: '${'{app}'.repeat(500)}'}\n  matrix: [{}]\n`)],
    ['values that are set', matrix(30, `  defaults: {${outputs}, set: {a: [${fill(200, String)}]}}\n  matrix: [{}]\n`)],
    ['entries of the matrix', matrix(30, `  defaults: {${outputs}}\n  matrix: [${fill(200, () => '{}')}]\n`)],
    ['outputs in many directories', `  targets: [{name: a, package: a.yaml, output: '${'a/'.repeat(3000)}'}]\n`],
    [
      'cycles of groups',
      `  groups: {${fill(60, (at) => `g${at}: {extends: [${fill(60, (to) => `g${to}`)}]}`)}}\n  targets: []\n`,
    ],
  ])('end in one finding: %s', async (_, spec) => {
    const { targets, codes } = await read(spec, createBudget({ maxFleetSteps: 20_000, maxFindings: 5 }));
    expect(targets).toBeUndefined();
    expect(codes.filter((code) => code === 'budget-exhausted')).toHaveLength(1);
  });

  it('end in one finding: patterns', async () => {
    const patterns = fill(200, (at) => `'*${'*a'.repeat(20)}${at}b'`);
    const budget = createBudget({ maxPatternSteps: 20_000 });
    expect(await read(matrix(30, `  matrix: [{applications: [${patterns}]}]\n`), budget)).toMatchObject({
      targets: undefined,
      codes: expect.arrayContaining(['budget-exhausted']),
    });
  });

  it('keep as many findings of a code as others do', async () => {
    const entries = fill(50, (at) => `{application: b${at}, cluster: c0}`);
    const { codes } = await read(matrix(2, `  matrix: [{include: [${entries}]}]\n`), createBudget({ maxFindings: 5 }));
    expect(codes.filter((code) => code === 'fleet-name-unknown')).toHaveLength(5);
    expect(codes).toContain('findings-omitted');
  });
});
