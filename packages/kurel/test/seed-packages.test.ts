import { describe, expect, it } from 'vitest';

import { describeWithProgram } from './render-case.ts';
import { describeObject, isKustomized, renderSeedBuild } from './render-seed-build.ts';
import { seedBuilds } from './seed-builds.ts';
import type { SeedBuild } from './seed-builds.ts';
import { command, describeCluster, kubernetesVersion, readSeedVerdicts } from './seed-verdicts.ts';

const verdicts = readSeedVerdicts();
const hint = `Kubernetes was not asked about this: run ${command}`;

// Kubernetes' own code judges the packages of the design in seed-packages.full.test.ts; here they must be what it was asked about.
describe('Kubernetes accepts', () => {
  it('what it was asked about, in the version that answers', () => {
    expect(Object.keys(verdicts.builds), hint).toEqual(seedBuilds.map(({ name }) => name));
    expect(verdicts.kubernetes, hint).toBe(kubernetesVersion());
  });

  it.each(seedBuilds.filter(({ layout }) => !isKustomized(layout)))('$name', expectAsked);

  describeWithProgram('kustomize', 'with kustomize', () => {
    it.each(seedBuilds.filter(({ layout }) => isKustomized(layout)))('$name', expectAsked);
  });
});

async function expectAsked(build: SeedBuild): Promise<void> {
  const verdict = verdicts.builds[build.name];
  expect(verdict?.cluster, hint).toEqual(describeCluster(build.cluster));
  const objects = (await renderSeedBuild(build)).map(describeObject);
  const wrong = Object.keys(verdict?.refused ?? {});
  expect(objects, hint).toEqual(expect.arrayContaining(wrong));
  expect(
    objects.filter((object) => !wrong.includes(object)),
    hint,
  ).toEqual(verdict?.accepted);
  expect(wrong.map((object) => object.split(' ')[0])).toEqual(build.refused);
}
