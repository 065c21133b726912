import { describe, expect, it } from 'vitest';

import { memoryFileSystem } from '../forms/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { readFleet } from './read-fleet.ts';
import type { Fleet } from './fleet.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n';

async function read(
  spec: string,
  more: readonly string[] = [],
): Promise<{ readonly fleet: Fleet | undefined; readonly diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const files = [
    'apps/web/app.yaml',
    'apps/api/app.yaml',
    'values.yaml',
    'berlin.yaml',
    'web.yaml',
    'own.yaml',
    'g.yaml',
    ...more,
  ];
  const fileSystem = memoryFileSystem(Object.fromEntries(files.map((path) => [path, 'a: 1\n'])));
  const source = { path: 'kurel.fleet.yaml', text: `${head}${spec}` };
  const fleet = await readFleet({ source, fileSystem, report: (one) => void diagnostics.push(one) });
  return { fleet, diagnostics };
}

const levels = `
  defaults: {output: "out/{target}", namespace: defaults, values: [values.yaml], optionalValues: [missing.yaml]}
  groups:
    g: {namespace: group, values: [g.yaml], set: {from: group}}
  clusters:
    berlin: {CLUSTER}
  applications:
    web: {package: apps/web, APPLICATION}
  matrix:
    - {MATRIX}
`;

function fill(texts: Readonly<Record<string, string>>): string {
  return levels.replaceAll(/CLUSTER|APPLICATION|MATRIX/g, (name) => texts[name] ?? '').replace('web, }', 'web}');
}

describe('settings of a target', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['of the defaults', { MATRIX: 'set: {a: 1}, extends: []' }, 'defaults'],
    ['of a cluster override defaults', { CLUSTER: 'namespace: cluster' }, 'cluster'],
    ['of an application override its cluster', { CLUSTER: 'namespace: c', APPLICATION: 'namespace: app' }, 'app'],
    ['of the entry override all', { APPLICATION: 'namespace: app', MATRIX: 'namespace: own' }, 'own'],
    ['of a group are below those who extend it', { CLUSTER: 'extends: [g], namespace: cluster' }, 'cluster'],
    ['of a group are above lower levels', { CLUSTER: 'namespace: c', APPLICATION: 'extends: [g]' }, 'group'],
    // A group counts once, at its first place.
    ['of a group count once', { CLUSTER: 'extends: [g], namespace: c', APPLICATION: 'extends: [g]' }, 'c'],
  ])('%s', async (_, texts, namespace) => {
    const { fleet } = await read(fill(texts));
    expect(fleet?.targets.map(({ name, settings }) => [name, settings.namespace])).toEqual([['berlin/web', namespace]]);
  });

  it('adds up files and values from level to level', async () => {
    const { fleet } = await read(
      fill({
        CLUSTER: 'extends: [g], values: [berlin.yaml]',
        APPLICATION: 'optionalValues: [web.yaml], set: {from: app}',
        MATRIX: 'values: [own.yaml]',
      }),
    );
    const [target] = fleet!.targets;
    expect(target!.settings.values).toEqual(['values.yaml', 'g.yaml', 'berlin.yaml', 'web.yaml', 'own.yaml']);
    expect(target!.settings.set.map(({ data, path }) => [data['from'], path.join('.')])).toEqual([
      ['group', 'spec.groups.g.set'],
      ['app', 'spec.applications.web.set'],
    ]);
    expect(target!.levels.map((level) => level.slice(1).join('.'))).toEqual([
      'defaults',
      'groups.g',
      'clusters.berlin',
      'applications.web',
      'matrix.0',
    ]);
  });

  it('does not depend on the order of clusters and applications in the file', async () => {
    const spec = `
  defaults: {output: "out/{target}", package: "apps/{app}"}
  clusters: {b: {}, a: {}}
  applications: {web: {}, api: {}}
  matrix: [{clusters: [a], applications: [api]}, {clusters: [b]}]
`;
    const { fleet } = await read(spec);
    expect(fleet?.targets.map(({ name }) => name)).toEqual(['a/api', 'b/web', 'b/api']);
  });

  it('are not taken from the prototype of an object', async () => {
    const { diagnostics } = await read(
      '  targets: [{application: constructor, cluster: toString, package: apps/web, output: out}]\n',
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['fleet-name-unknown', 'fleet-name-unknown']);
  });
});

describe('names of targets', () => {
  it.each([
    ['a placeholder', 'packages/{app}', 'packages/a{b}', 'a{b}'],
    ['a placeholder twice', 'packages/{app}', 'packages/{app}', '{app}'],
    ['a wildcard', 'packages/*', 'packages/{app}', 'packages/{app}'],
    ['a part', 'packages/v-{app}', 'packages/v-}', '}'],
  ])('are reported if a directory with braces matches %s', async (_, pattern, directory, name) => {
    const spec = `  directories: [{path: "${pattern}", output: "out/{target}"}]\n`;
    const { fleet, diagnostics } = await read(spec, [`${directory}/app.yaml`]);
    expect(diagnostics).toMatchObject([{ code: 'fleet-target-name', message: `"${name}" is not a valid target name` }]);
    expect(fleet).toBeUndefined();
  });
});

describe('limits', () => {
  it('of groups', async () => {
    const groups = Array.from({ length: 1001 }, (_, index) => `g${index}: {}`).join(', ');
    const { diagnostics } = await read(
      `  groups: {${groups}}\n  targets: [{name: a, package: apps/web, output: out}]\n`,
    );
    expect(diagnostics).toMatchObject([{ code: 'fleet-too-large', message: 'the fleet has more than 1,000 groups' }]);
  });

  it('of targets', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `n${index}: {}`).join(', ');
    const { diagnostics } = await read(`  clusters: {${names}}\n  applications: {${names}}\n  matrix: [{}]\n`);
    expect(diagnostics).toMatchObject([
      { code: 'fleet-too-large', message: 'the fleet has more than 100,000 targets' },
    ]);
  });

  it('chains of groups are followed to their end', async () => {
    const groups = Array.from({ length: 1000 }, (_, index) => `g${index}: {extends: [g${index + 1}]}`);
    const text = [...groups.slice(0, 999), 'g999: {namespace: deep}'].join(', ');
    const { fleet } = await read(
      `  groups: {${text}}\n  targets: [{name: a, extends: [g0], package: apps/web, output: out}]\n`,
    );
    expect(fleet?.targets[0]?.settings.namespace).toBe('deep');
  });
});
