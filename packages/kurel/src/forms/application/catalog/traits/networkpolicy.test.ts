import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../model/index.ts';
import type { TraitDefinition, TraitResult } from '../define.ts';
import { ciliumNetworkpolicy } from './cilium-networkpolicy.ts';
import { networkpolicy } from './networkpolicy.ts';

interface Rendered {
  readonly result: TraitResult;
  readonly reported: readonly string[];
}

/** Renders the trait for a component without pods of its own. */
function render(trait: TraitDefinition, properties: JsonObject): Rendered {
  if (!('render' in trait)) throw new TypeError('expected a trait with a renderer');
  const reported: string[] = [];
  const component = { name: 'database' };
  const delivery = { engine: 'fluxcd', namespace: 'default', nameOf: (name: string) => name } as const;
  const kubernetesMinor = (): number => 34;
  const report = ({ code }: { readonly code: string }): void => void reported.push(code);
  const where = {
    application: 'shop',
    namespace: 'default',
    component,
    namesOf: () => [],
    siblingsOf: () => [],
    serviceOf: () => undefined,
    annotations: {},
    delivery,
    kubernetesMinor,
  };
  const result = trait.render({ ...where, properties, authored: properties, report });
  return { result, reported };
}

describe('for a component without pods', () => {
  const selector = { matchLabels: { 'cnpg.io/cluster': 'database' } };

  it('a network policy requires a podSelector', () => {
    expect(render(networkpolicy, { ingress: [] }).reported).toEqual(['networkpolicy-without-pods']);
    const { result, reported } = render(networkpolicy, { ingress: [], podSelector: selector });
    expect(reported).toEqual([]);
    expect(result.objects?.[0]).toMatchObject({
      metadata: { name: 'database-allow' },
      spec: { podSelector: selector },
    });
  });

  it('a Cilium network policy requires an endpointSelector', () => {
    expect(render(ciliumNetworkpolicy, { name: 'x', ingress: [{}] }).reported).toEqual(['cilium-without-pods']);
    const { result, reported } = render(ciliumNetworkpolicy, { name: 'x', ingress: [{}], endpointSelector: selector });
    expect(reported).toEqual([]);
    expect(result.objects?.[0]).toMatchObject({ metadata: { name: 'x' }, spec: { endpointSelector: selector } });
  });
});
