import { beforeAll, expect, it } from 'vitest';

import { readProjectDefinitions } from '../../../scripts/schemas/project-definitions.mjs';
import type { Answer } from '../../../test/corpus/verdicts.ts';
import { askOracle } from '../../../test/oracles/schema/ask-oracle.ts';
import { build } from '../src/index.ts';
import { formatObject } from '../src/kube/index.ts';
import type { KubeObject } from '../src/model/index.ts';
import { applicationCases, requestOfCase } from './application-case.ts';
import { describeWithGo } from './describe-with-go.ts';
import { repository } from './source-tree.ts';

/** Projects whose custom resources the handlers build. */
const projects = [
  'cert-manager',
  'external-secrets',
  'Flux source-controller',
  'Flux kustomize-controller',
  'Flux helm-controller',
  'CloudNativePG',
  'Barman Cloud plugin',
  'Gateway API',
  'VolSync',
  'Cilium',
  'Argo CD',
];

/** Objects that Kubernetes refuses although they are built, by case. */
const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Only a warning: which time zones exist depends on the database of the cluster.
  'catalog/components/cases/cronjob/time-zone': {
    'default/cronjob.report': 'unknown time zone Europe/Berln',
    'default/cronjob.digest': 'unknown time zone europe/berlin',
    'default/cronjob.purge': 'unknown time zone Mars/Olympus',
    'default/cronjob.index': 'unknown time zone EUROPE/BERLIN',
  },
  // The filter is in the experimental channel of the Gateway API; Kubernetes is asked with the standard one.
  'catalog/traits/cases/httproute/filters': {
    'default/httproute.web-httproute': 'spec.rules[0].filters[3].externalAuth',
  },
};

const cases = applicationCases.filter(({ isBuilt }) => isBuilt);

describeWithGo("Kubernetes' own code, asked about the golden applications", () => {
  const verdicts = new Map<string, readonly Verdict[]>();
  beforeAll(async () => {
    const built: { id: string; object: KubeObject }[] = [];
    for (const { name, files } of cases) {
      const { objects } = await build(requestOfCase(files));
      for (const object of objects) built.push({ id: name, object });
    }
    const definitions = projects.flatMap(readProjectDefinitions).map((definition) => ({ definition }));
    const answers = askOracle(repository, [...definitions, ...built]);
    expect(answers.length).toBe(built.length);
    const all = built.map(({ object }, index): Verdict => Object.assign(answers[index]!, { object }));
    for (const { name } of cases) {
      const own = all.filter(({ id }) => id === name);
      verdicts.set(name, own);
    }
    console.info(describeCounts(all));
  });

  it.each(cases)('accepts $name', ({ name }) => {
    const wrong = verdicts.get(name)!.filter((verdict) => verdict.verdict !== 'valid' && !isUndefinedKind(verdict));
    const reasons = Object.fromEntries(wrong.map(({ object, message }) => [formatObject(object), message]));
    const expected = Object.entries(refused[name] ?? {});
    expect(reasons).toEqual(
      Object.fromEntries(expected.map(([object, reason]) => [object, expect.stringContaining(reason)])),
    );
  });

  it('refuses only objects of cases that exist', () => {
    const names = cases.map(({ name }) => name);
    expect(Object.keys(refused).filter((name) => !names.includes(name))).toEqual([]);
  });
});

interface Verdict extends Answer {
  readonly object: KubeObject;
}

/** Kinds that only the cases have: nobody publishes a definition of them. */
function isUndefinedKind({ verdict, object }: Verdict): boolean {
  return verdict === 'no-type' && /^(?:\w+\.)?example\.com\//.test(object.apiVersion);
}

function describeCounts(verdicts: readonly Verdict[]): string {
  const kinds = new Set(verdicts.map(({ object }) => `${object.apiVersion} ${object.kind}`));
  const counts = new Map<string, number>();
  for (const { verdict } of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const text = Array.from(counts, ([verdict, count]) => `${count} ${verdict}`).join(', ');
  return `${cases.length} applications, ${verdicts.length} objects of ${kinds.size} kinds: ${text}`;
}
