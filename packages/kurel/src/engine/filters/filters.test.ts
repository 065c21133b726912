import { describe, expect, it } from 'vitest';
import type { Filter, KubeObject } from '../../model/index.ts';
import { EngineError } from '../errors.ts';
import { isPure } from '../steps.ts';
import { anyContext, configMap, frozen } from '../../../test/test-objects.ts';
import { filters } from './index.ts';

const { namespace, labels, annotations, name, gvk, kind } = filters;

const bare: KubeObject = frozen({ apiVersion: 'v1', kind: 'ConfigMap' });
const inProd = configMap('web', { namespace: 'prod' });
const labelled = configMap('web', { labels: { app: 'web', tier: 'front', empty: '' } });
const annotated = configMap('web', { annotations: { team: 'a', 'kurel.dev/x': 'y' } });
const mixedLabels = configMap('web', { labels: { app: 'web', port: 80 } });
const deployment = frozen({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } });

const appsDeployment = { group: 'apps', version: 'v1', kind: 'Deployment' };

const cases: readonly (readonly [title: string, filter: Filter, object: KubeObject, keeps: boolean])[] = [
  ['namespace in the list', namespace.is('staging', 'prod'), inProd, true],
  ['namespace not in the list', namespace.is('staging'), inProd, false],
  ['"" is an object without namespace', namespace.is(''), configMap('a'), true],
  ['"" is an object without metadata', namespace.is(''), bare, true],
  ['"" is not an object with a namespace', namespace.is(''), inProd, false],
  ['no namespaces keep nothing', namespace.is(), inProd, false],
  ['no namespaces keep nothing, not even without namespace', namespace.is(), bare, false],
  ['excluded namespace', namespace.exclude('prod'), inProd, false],
  ['not excluded namespace', namespace.exclude('staging'), inProd, true],
  ['excluded objects without namespace', namespace.exclude(''), bare, false],
  ['nothing excluded', namespace.exclude(), inProd, true],

  ['one label', labels.has('app'), labelled, true],
  ['label with an empty value', labels.has('empty'), labelled, true],
  ['all labels', labels.has('app', 'tier'), labelled, true],
  ['one of two labels missing', labels.has('app', 'zone'), labelled, false],
  ['no keys keep everything', labels.has(), bare, true],
  ['label of an object without metadata', labels.has('app'), bare, false],
  ['inherited properties are not labels', labels.has('constructor'), labelled, false],
  ['inherited properties are not labels, without labels', labels.has('__proto__'), bare, false],
  ['equal labels', labels.match({ app: 'web', tier: 'front' }), labelled, true],
  ['one label differs', labels.match({ app: 'web', tier: 'back' }), labelled, false],
  ['label absent', labels.match({ zone: '' }), labelled, false],
  ['no pairs keep everything', labels.match({}), bare, true],
  ['a label that is not a string does not hide the others', labels.match({ app: 'web' }), mixedLabels, true],
  ['a label that is not a string does not count', labels.has('port'), mixedLabels, false],

  ['selector: present', labels.selector('app'), labelled, true],
  ['selector: absent', labels.selector('!app'), labelled, false],
  ['selector: equal and in set', labels.selector('app=web, tier in (front, back)'), labelled, true],
  ['selector: equal but not in set', labels.selector('app==web,tier notin (front)'), labelled, false],
  ['selector: different or absent', labels.selector('zone!=eu'), bare, true],
  ['selector: empty text', labels.selector(' '), bare, true],

  ['one annotation', annotations.has('team'), annotated, true],
  ['all annotations', annotations.has('team', 'kurel.dev/x'), annotated, true],
  ['annotation missing', annotations.has('team', 'zone'), annotated, false],
  ['no annotation keys keep everything', annotations.has(), bare, true],
  ['equal annotations', annotations.match({ team: 'a' }), annotated, true],
  ['annotation differs', annotations.match({ team: 'b' }), annotated, false],
  ['no annotation pairs keep everything', annotations.match({}), bare, true],
  ['annotations without metadata', annotations.match({ team: 'a' }), bare, false],

  ['exact name', name.exact('db', 'web'), labelled, true],
  ['other name', name.exact('we'), labelled, false],
  ['no names keep nothing', name.exact(), labelled, false],
  ['prefix', name.prefix('we'), labelled, true],
  ['not the prefix', name.prefix('eb'), labelled, false],
  ['suffix', name.suffix('eb'), labelled, true],
  ['not the suffix', name.suffix('we'), labelled, false],
  ['regex is an unanchored search', name.regex('e'), labelled, true],
  ['anchored regex', name.regex('^e'), labelled, false],
  ['regex object', name.regex(/WEB/i), labelled, true],
  ['regex on an object without name', name.regex('^$'), bare, true],

  ['type as object', gvk(appsDeployment), deployment, true],
  ['type as text', gvk('apps/v1/Deployment'), deployment, true],
  ['core type as text', gvk('v1/ConfigMap'), bare, true],
  ['any of the types', gvk('v1/Service', appsDeployment), deployment, true],
  ['other version', gvk('apps/v1beta1/Deployment'), deployment, false],
  ['other group', gvk({ group: '', version: 'v1', kind: 'Deployment' }), deployment, false],
  ['kind is case-sensitive', gvk('apps/v1/deployment'), deployment, false],
  ['no types keep nothing', gvk(), deployment, false],
  [
    'an apiVersion that cannot be read matches nothing',
    gvk('v1/X'),
    frozen({ apiVersion: 'a/b/v1', kind: 'X' }),
    false,
  ],
  [
    'an empty apiVersion matches nothing',
    gvk({ group: '', version: '', kind: 'X' }),
    frozen({ apiVersion: '', kind: 'X' }),
    false,
  ],

  ['kind of any version', kind('Service', 'Deployment'), deployment, true],
  ['kind of one version', kind('apps/v1/Deployment'), deployment, true],
  ['core kind of one version', kind('v1/ConfigMap'), bare, true],
  ['kind of another version', kind('apps/v2/Deployment'), deployment, false],
  ['other kind', kind('deployment'), deployment, false],
  ['no kinds keep nothing', kind(), deployment, false],
];

describe('filters', () => {
  it.each(cases)('%s', (_title, filter, object, keeps) => {
    expect(filter(object, anyContext)).toBe(keeps);
    expect(isPure(filter)).toBe(true);
  });

  it('a regex with state gives the same answer every time', () => {
    const filter = name.regex(/web/g);
    expect([1, 2, 3].map(() => filter(labelled, anyContext))).toEqual([true, true, true]);
  });

  it('is not affected by later changes of its arguments', () => {
    const wanted: Record<string, string> = { app: 'web' };
    const filter = labels.match(wanted);
    wanted['app'] = 'other';
    expect(filter(labelled, anyContext)).toBe(true);
  });

  it.each([
    ['pattern', () => name.regex('['), 'invalid-pattern'],
    ['escape of another dialect', () => name.regex('web\\z'), 'invalid-pattern'],
    ['type', () => gvk('Deployment/'), 'invalid-type'],
  ])('rejects an invalid %s at construction', (_title, make, code) => {
    expect(make).toThrow(EngineError);
    expect(make).toThrow(expect.objectContaining({ code }));
  });

  it('rejects an invalid selector at construction', () => {
    expect(() => labels.selector('a=1=2')).toThrow();
  });
});
