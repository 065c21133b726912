import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../host/index.ts';
import { createSchemaStore, fieldAt } from './index.ts';

const store = createSchemaStore({ files: bundledSchemas() });
const deployment = store.find({ group: 'apps', version: 'v1', kind: 'Deployment' })!;
const pod = ['spec', 'template', 'spec'];

describe('fieldAt', () => {
  it.each([
    [[], { type: 'object' }, true],
    [['spec'], { type: 'object' }, true],
    [['spec', 'replicas'], { type: 'integer', format: 'int32' }, false],
    [['metadata', 'labels'], { type: 'object' }, false],
    [['metadata', 'labels', 'app.kubernetes.io/name'], { type: 'string' }, false],
    [['metadata', 'creationTimestamp'], { type: 'string', format: 'date-time', nullIsAbsent: true }, false],
    [['spec', 'strategy', 'rollingUpdate', 'maxSurge'], { type: 'int-or-string' }, false],
    [[...pod, 'containers'], { type: 'list', listType: 'map', listMapKeys: ['name'] }, true],
    [[...pod, 'containers', 0, 'name'], { type: 'string' }, true],
    [[...pod, 'containers', 'name'], { type: 'string' }, true],
    [[...pod, 'containers', 0, 'imagePullPolicy'], { enum: ['Always', 'IfNotPresent', 'Never'] }, false],
    [[...pod, 'containers', 0, 'resources', 'limits', 'cpu'], { type: 'quantity' }, false],
    [[...pod, 'containers', 0, 'args', 3], { type: 'string' }, false],
    [[...pod, 'tolerations', 0, 'effect'], { enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] }, false],
    [[...pod, 'serviceAccount'], { deprecated: expect.stringMatching(/^Deprecated: Use serviceAccountName/) }, false],
  ])('finds %j', (path, facts, required) => {
    expect(fieldAt(deployment, path)).toMatchObject({ found: facts, required });
  });

  it.each([
    [['spec', 'replcias'], { missing: 1, near: 'replicas', open: false }],
    [[...pod, 'containers', 0, 'imagePullpolicy'], { missing: 5, near: 'imagePullPolicy', open: false }],
    [['xyzzy', 'a'], { missing: 0, open: false }],
    [['spec', 'replicas', 'a'], { missing: 2, open: false }],
    [['spec', 'constructor'], { missing: 1, open: false }],
    [['metadata', 'managedFields', 0, 'fieldsV1', 'f:spec'], { missing: 4, open: true }],
  ])('reports where %j ends', (path, missing) => {
    expect(fieldAt(deployment, path)).toEqual(missing);
  });
});
