import { describe, expect, it } from 'vitest';
import type { Json } from '../../../model/index.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { definePolicy } from '../catalog/define.ts';
import type { PolicyResult } from '../catalog/define.ts';
import { composeApplication } from './compose-application.ts';
import type { Composition } from './composition.ts';

interface Composed {
  readonly composition: Composition | undefined;
  readonly reported: readonly string[];
}

/** An application with one policy of a custom type. */
function composeWith(apply: () => PolicyResult): Composed {
  const reported: string[] = [];
  const own = definePolicy({
    type: 'sizes',
    summary: 'Sizes.',
    properties: { size: { type: 'string', enum: ['small', 'large'] } },
    apply,
  });
  const data: Json = {
    apiVersion: 'launcher.gokure.dev/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop' },
    spec: {
      components: ['first', 'second'].map((name) => ({
        name,
        type: 'worker',
        properties: { image: 'ghcr.io/example/worker:1', replicas: 4 },
      })),
      policies: [{ name: 'size', type: 'sizes', properties: { size: 'small' } }],
    },
  };
  const composition = composeApplication({
    application: { data, locate: (path) => ({ file: 'app.yaml', path }) },
    catalog: createCatalog({ policies: [own] }),
    report: ({ code, location }) => void reported.push(`${code} ${location?.path?.join('.')}`),
  });
  return { composition, reported };
}

describe('a policy of a library user', () => {
  it('can set limits that are not in the application', () => {
    const { composition, reported } = composeWith(() => ({ rules: { enforced: { maxReplicas: 3 } } }));
    expect(reported).toEqual([]);
    expect(composition?.findings.map(({ diagnostic: { code, related } }) => ({ code, related }))).toEqual([
      {
        code: 'policy-limit',
        related: [
          { message: 'the rule is here', location: { file: 'app.yaml', path: ['spec', 'policies', 0, 'properties'] } },
        ],
      },
      {
        code: 'policy-limit',
        related: [
          { message: 'the rule is here', location: { file: 'app.yaml', path: ['spec', 'policies', 0, 'properties'] } },
        ],
      },
    ]);
  });

  it('has its invalid rules reported', () => {
    const { reported } = composeWith(() => ({ rules: { enforced: { maxReplicas: 'few' } } }));
    expect(reported).toEqual(['field-type spec.policies.0.properties']);
  });

  it('can order components', () => {
    const { composition, reported } = composeWith(() => ({ tiers: { second: 'infra' } }));
    expect(reported).toEqual([]);
    expect(composition?.objects.map(({ tier }) => tier)).toEqual(['infra', 'infra', 'apps', 'apps']);
  });

  it('can only order existing components, in existing tiers', () => {
    const tiers = { third: 'infra', first: 'cellar' } as unknown as NonNullable<PolicyResult['tiers']>;
    expect(composeWith(() => ({ tiers })).reported).toEqual([
      'tier-of-nothing spec.policies.0.properties',
      'tier-unknown spec.policies.0.properties',
    ]);
  });
});
