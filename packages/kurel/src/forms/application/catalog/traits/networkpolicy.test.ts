import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../model/index.ts';
import type { TraitDefinition, TraitResult } from '../define.ts';
import { ciliumNetworkpolicy } from './cilium-networkpolicy.ts';
import { networkpolicy } from './networkpolicy.ts';

interface Rendered {
  readonly result: TraitResult;
  readonly told: readonly string[];
}

/** As a trait of a component that has no pods of its own. */
function render(trait: TraitDefinition, properties: JsonObject): Rendered {
  if (!('render' in trait)) throw new TypeError('a trait that renders is wanted');
  const told: string[] = [];
  const component = { name: 'database' };
  const report = ({ code }: { readonly code: string }): void => void told.push(code);
  const where = { application: 'shop', namespace: 'default', component, namesOf: () => [] };
  const result = trait.render({ ...where, properties, authored: properties, report });
  return { result, told };
}

describe('of a component without pods', () => {
  const selector = { matchLabels: { 'cnpg.io/cluster': 'database' } };

  it('a network policy must say which pods it is for', () => {
    expect(render(networkpolicy, { ingress: [] }).told).toEqual(['networkpolicy-without-pods']);
    const { result, told } = render(networkpolicy, { ingress: [], podSelector: selector });
    expect(told).toEqual([]);
    expect(result.objects?.[0]).toMatchObject({
      metadata: { name: 'database-allow' },
      spec: { podSelector: selector },
    });
  });

  it('a network policy of Cilium must say which pods it is for', () => {
    expect(render(ciliumNetworkpolicy, { name: 'x', ingress: [{}] }).told).toEqual(['cilium-without-pods']);
    const { result, told } = render(ciliumNetworkpolicy, { name: 'x', ingress: [{}], endpointSelector: selector });
    expect(told).toEqual([]);
    expect(result.objects?.[0]).toMatchObject({ metadata: { name: 'x' }, spec: { endpointSelector: selector } });
  });
});
