import { describe, expect, it } from 'vitest';

import { parseObjectName } from './identity.ts';

const web = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' };
const dotted = { group: '', kind: 'ConfigMap', namespace: '', name: 'a.b' };

describe('parseObjectName', () => {
  it.each([
    ['deployment/web', web],
    ['Deployment/web', web],
    ['deploy/web', web],
    ['deployments/web', web],
    ['deployment.apps/web', web],
    ['deployment.v1.apps/web', web],
    ['shop/deployment/web', web],
    ['deployment.web', web],
    ['shop/deployment.web', web],
    ['cm/a.b', dotted],
    ['configmap.a.b', dotted],
  ])('%s matches', (text, name) => {
    expect(parseObjectName(text)?.(name)).toBe(true);
  });

  it.each([
    'deployment/api',
    'other/deployment/web',
    'deployment.batch/web',
    'statefulset/web',
    'other/deployment.web',
  ])('%s does not match', (text) => {
    expect(parseObjectName(text)?.(web)).toBe(false);
  });

  it.each(['', 'web', '/', 'deployment/', '/web', 'a/b/c/d', '.web', 'deployment.'])('%j names no object', (text) => {
    expect(parseObjectName(text)).toBeUndefined();
  });
});
