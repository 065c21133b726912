import { beforeAll, expect, it } from 'vitest';

import { readProjectDefinitions } from '../../../scripts/schemas/project-definitions.mjs';
import type { Answer } from '../../../test/corpus/verdicts.ts';
import { askOracle } from '../../../test/oracles/schema/ask-oracle.ts';
import type { OracleLine } from '../../../test/oracles/schema/ask-oracle.ts';
import type { Json, KubeObject } from '../src/model/index.ts';
import { describeObject, renderSeedBuild } from './render-seed-build.ts';
import { seedBuilds } from './seed-builds.ts';
import type { SeedBuild, SeedCluster } from './seed-builds.ts';
import { describeCluster, kubernetesVersion, readSeedVerdicts, writeSeedVerdicts } from './seed-verdicts.ts';
import type { SeedVerdict } from './seed-verdicts.ts';
import { describeWithGo } from './describe-with-go.ts';
import { repository } from './source-tree.ts';

const update = process.env['UPDATE_CASES'] === '1';

describeWithGo("Kubernetes' own code, asked about the packages of the design", () => {
  const live = new Map<string, SeedVerdict>();
  beforeAll(async () => {
    const rendered = new Map<SeedBuild, readonly KubeObject[]>();
    for (const build of seedBuilds) rendered.set(build, await renderSeedBuild(build));
    const answers = ask(Array.from(rendered, ([{ name, cluster }, objects]) => ({ name, cluster, objects })));
    for (const [{ name, cluster }, objects] of rendered) live.set(name, sumUp(cluster, objects, answers.get(name)!));
    if (update) writeSeedVerdicts({ kubernetes: kubernetesVersion(), builds: Object.fromEntries(live) });
  });

  it.each(seedBuilds)('accepts $name', ({ name, refused }) => {
    const reasons = live.get(name)!.refused ?? {};
    const names = Object.keys(reasons).map((text) => text.split(' ')[0]);
    expect(names, JSON.stringify(reasons, undefined, 1)).toEqual(refused);
  });

  it('says what it said before', () => {
    expect(readSeedVerdicts()).toEqual({ kubernetes: kubernetesVersion(), builds: Object.fromEntries(live) });
  });
});

describeWithGo('the cluster that is asked', () => {
  const stream = seedBuilds.find(({ name }) => name === 'operator-production')!;
  const catalog = seedBuilds.find(({ name }) => name === 'catalog-gateway')!;

  it('refuses objects before their Namespace and before their CustomResourceDefinition', async () => {
    const objects = (await renderSeedBuild(stream)).toReversed();
    const answers = ask([{ name: 'reversed', cluster: {}, objects }]).get('reversed')!;
    const verdicts = new Map(objects.map((object, index) => [describeObject(object).split(' ')[0], answers[index]]));
    expect(verdicts.get('monitoring/servicemonitor.prometheus-operator')).toMatchObject({ verdict: 'no-type' });
    expect(verdicts.get('monitoring/deployment.prometheus-operator')).toMatchObject({
      verdict: 'no-namespace',
      message: 'namespaces "monitoring" not found',
    });
    expect(verdicts.get('clusterrole.prometheus-operator')).toMatchObject({ verdict: 'valid' });
    expect(verdicts.get('namespace.monitoring')).toMatchObject({ verdict: 'valid' });
  });

  it('refuses the same object twice, and what the definition of a build does not allow', async () => {
    const objects = await renderSeedBuild(catalog);
    const queue = objects.find(({ kind }) => kind === 'Queue')!;
    const change = (name: string, spec: Json): KubeObject => ({ ...queue, metadata: { name }, spec });
    const wrong = [
      queue,
      change('too-small', { size: 0 }),
      change('too-large', { size: 10 }),
      change('untyped', { size: '3' }),
      change('unknown', { size: 3, colour: 'red' }),
      change('right', { size: 4 }),
    ];
    const answers = ask([{ name: 'changed', cluster: catalog.cluster, objects: [...objects, ...wrong] }]).get(
      'changed',
    )!;
    expect(answers.slice(objects.length).map(({ verdict }) => verdict)).toEqual([
      'exists',
      'invalid',
      'rule',
      'invalid',
      'unknown-field',
      'valid',
    ]);
  });
});

interface Question {
  readonly name: string;
  readonly cluster: SeedCluster;
  readonly objects: readonly KubeObject[];
}

/** The answers about the objects of each question, created one after the other in a cluster of its own. */
function ask(questions: readonly Question[]): ReadonlyMap<string, readonly Answer[]> {
  const definitions = new Map<string, readonly Json[]>();
  for (const name of questions.flatMap(({ cluster }) => cluster.projects ?? [])) {
    if (!definitions.has(name)) definitions.set(name, readProjectDefinitions(name));
  }
  const lines = questions.flatMap(({ name, cluster, objects }): readonly OracleLine[] => [
    { cluster: name },
    ...(cluster.namespaces ?? []).map((namespace) => ({
      id: before,
      object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    })),
    ...(cluster.projects ?? []).flatMap((project) =>
      definitions.get(project)!.map((object) => ({ id: before, object })),
    ),
    ...objects.map((object) => ({ id: name, object })),
  ]);
  const answers = askOracle(repository, lines);
  expect(answers.filter(({ id, verdict }) => id === before && verdict !== 'valid')).toEqual([]);
  return new Map(questions.map(({ name }) => [name, answers.filter(({ id }) => id === name)]));
}

/** The id of what is in a cluster already. */
const before = 'before';

function sumUp(cluster: SeedCluster, objects: readonly KubeObject[], answers: readonly Answer[]): SeedVerdict {
  expect(answers.length).toBe(objects.length);
  const accepted: string[] = [];
  const refused: Record<string, string> = {};
  for (const [index, { verdict, message }] of answers.entries()) {
    const text = describeObject(objects[index]!);
    if (verdict === 'valid') accepted.push(text);
    else refused[text] = `${verdict}: ${message}`;
  }
  return { cluster: describeCluster(cluster), accepted, ...(Object.keys(refused).length === 0 ? {} : { refused }) };
}
