import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { findSharedObjects } from '../src/fleet/index.ts';
import type { FleetTarget } from '../src/fleet/index.ts';
import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-shared-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const fleet = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {output: "rendered/{cluster}/{app}"}
  clusters: {berlin: {}}
  applications: {one: {package: app}, two: {package: app}}
  matrix: [{}]
`;

describe('a finding about shared objects', () => {
  it('does not depend on what is built again, or comes from a cache', { tags: 'slow' }, async () => {
    mkdirSync(join(place, 'app'));
    writeFileSync(join(place, 'app/app.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
    writeFileSync(join(place, 'kurel.fleet.yaml'), fleet);
    const run = async (...words: readonly string[]) => {
      const variables = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'cache') };
      const { stderr } = await runProgram(['fleet', ...words], { workingDirectory: place, variables });
      return { finding: stderr.replace(/\n[^\n]*\n$/, ''), summary: stderr.match(/([^\n]*)\n$/)?.[1] };
    };
    const first = await run('build');
    expect(first.finding).toContain('warning[fleet-object-shared]: targets "berlin/one" and "berlin/two"');
    const again = await run('build');
    expect(again).toEqual({ finding: first.finding, summary: '2 targets: 2 up to date' });
    expect((await run('build', '--check')).finding).toBe(first.finding);
    rmSync(join(place, 'rendered'), { recursive: true });
    await run('build', '--cache=shared');
    rmSync(join(place, 'rendered'), { recursive: true });
    const cached = await run('build', '--cache=shared');
    expect(cached).toEqual({ finding: first.finding, summary: '2 targets: 2 built; 2 from the cache' });
  });
});

function makeTarget(name: string, cluster: string | undefined): FleetTarget {
  const lists = { values: [], set: [], patches: [], enable: [], crds: [], accept: [] };
  const settings = { package: 'app', output: `rendered/${name}`, contentHash: false, strict: false, ...lists };
  return { name, cluster, path: ['spec', 'targets', 0], settings, origins: {}, levels: [] };
}

describe('findSharedObjects', () => {
  const find = (
    written: Readonly<Record<string, readonly string[]>>,
    clusterOf: (name: string) => string | undefined = () => 'c',
  ) =>
    findSharedObjects(
      {
        source: { path: 'kurel.fleet.yaml', text: '' },
        targets: Object.keys(written).map((name) => makeTarget(name, clusterOf(name))),
      },
      (name) => written[name],
    ).diagnostics.map(({ message }) => message);

  it.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
    ['nothing', {}, []],
    ['different objects', { a: [' Namespace  x'], b: [' Namespace  y'] }, []],
    ['one name in different groups', { a: ['apps Deployment x y'], b: ['extensions Deployment x y'] }, []],
    ['one name in different namespaces', { a: [' Secret x y'], b: [' Secret z y'] }, []],
    ['an object twice in one target', { a: [' Secret x y', ' Secret x y'] }, []],
    [
      'many targets',
      Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`t${index}`, [' Namespace  x']])),
      ['targets "t0", "t1" and 3 others write Namespace x to cluster "c"'],
    ],
    [
      'names with spaces',
      {
        a: ['rbac.authorization.k8s.io ClusterRole  read all'],
        b: ['rbac.authorization.k8s.io ClusterRole  read all'],
      },
      ['targets "a" and "b" write ClusterRole read all to cluster "c"'],
    ],
  ])('compares %s', (_, written, expected) => {
    expect(find(written)).toEqual(expected);
  });

  it('compares only targets of one cluster, and those without one by their deliveries', () => {
    const written = ['kustomize.toolkit.fluxcd.io Kustomization flux-system web-main', ' Namespace  x'];
    expect(find({ a: written, b: written }, (name) => name)).toEqual([]);
    expect(find({ a: written, b: written }, () => undefined)).toEqual([
      'targets "a" and "b" write Kustomization flux-system/web-main',
    ]);
  });
});
