import { describe, expect, it } from 'vitest';
import { kindsNamed } from './index.ts';

describe('the kinds that a word names', () => {
  it.each([
    ['Deployment', ['deployment']],
    ['deploy', ['deploy', 'deployment']],
    ['pods', ['pods', 'pod']],
    ['ingresses', ['ingresses', 'ingress', 'ingresse']],
    ['NetworkPolicies', ['networkpolicies', 'networkpolicy', 'networkpolici', 'networkpolicie']],
    ['ds', ['ds', 'daemonset', 'd']],
    ['constructor', ['constructor']],
    ['', ['']],
  ])('%s', (word, kinds) => {
    expect(kindsNamed(word)).toEqual(kinds);
  });
});
