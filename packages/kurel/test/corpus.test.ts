import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { agreesWithKubeconform, agreesWithKubernetes, askKurel } from '../../../test/corpus/ask-kurel.ts';
import { differences } from '../../../test/corpus/differences.ts';
import { mutateObjects } from '../../../test/corpus/mutate-objects.ts';
import { openStore } from '../../../test/corpus/open-store.ts';
import { readCorpus } from '../../../test/corpus/read-corpus.ts';
import { digestOf, readVerdicts, verdictsOf } from '../../../test/corpus/verdicts.ts';
import { repository } from './source-tree.ts';

const cases = join(repository, 'test', 'corpus', 'cases');
const { objects, unread } = readCorpus(join(cases, 'manifests'));
const mutated = mutateObjects(objects);
const all = [...objects, ...mutated];
const verdicts = readVerdicts(join(cases, 'verdicts.json'));

describe('the corpus', () => {
  it('is large', () => {
    expect(objects.length).toBeGreaterThan(2500);
    expect(mutated.length).toBeGreaterThan(1500);
  });

  it('is the one that the verdicts are about', () => {
    expect(digestOf(all), 'run node test/corpus/refresh.mjs').toBe(verdicts.digest);
  });

  it('has only these documents that are not objects', () => {
    expect(unread).toEqual([
      'cert-manager-1.0/devel/addon/bind/manifests/service.yaml#0: yaml-unexpected-text',
      'cert-manager/make/config/bind/service.yaml#0: yaml-unexpected-text',
      'external-secrets/docs/snippets/1password-connect-server-deployment.yaml#0: yaml-missing-colon',
      'flux/cmd/flux/testdata/migrate/file-system/dir.golden/some-file.yaml#2: not an object of Kubernetes',
      'flux/cmd/flux/testdata/migrate/file-system/dir/some-file.yaml#2: not an object of Kubernetes',
      'kubernetes-1.37/hack/testdata/invalid-deployment-unknown-and-duplicate-fields.yaml#0: yaml-duplicate-key',
    ]);
  });
});

describe('every object of the corpus gets the verdict of', () => {
  it.each(Object.keys(verdicts.judges))('%s, or a reason why not', async (judge) => {
    const store = openStore(repository, judge.slice(-'1.37'.length));
    const theirs = verdictsOf(verdicts, judge);
    const ours = await askKurel(all, store);
    const agrees = judge.startsWith('kubeconform') ? agreesWithKubeconform : agreesWithKubernetes;
    const differing = all.filter(({ id }) => !agrees(ours.get(id)!, theirs.get(id) ?? 'valid'));
    const listed = differences.filter(({ judges }) => judges.includes(judge)).flatMap(({ ids }) => ids);
    expect(differing.map(({ id }) => id).toSorted()).toEqual(listed.toSorted());
  });
});
