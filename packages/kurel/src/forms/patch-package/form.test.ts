import { expect, it } from 'vitest';

import { createRenderContext } from '../../engine/index.ts';
import { namespaceOf } from '../../kube/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import { patchPackageRenderer } from './form.ts';

const files = {
  'web.kurel/parameters.yaml': 'kurel: {name: web, version: 1.0.0, appVersion: 1.0.0}\n',
  'web.kurel/resources/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: here}\n',
};

it.each([
  [undefined, 'here'],
  ['there', 'there'],
])('a renderer with namespace %s puts objects in %s', async (namespace, expected) => {
  const fileSystem = memoryFileSystem(files);
  const renderer = patchPackageRenderer({ fileSystem, path: 'web.kurel', namespace });
  const { objects } = await renderer.process({}, createRenderContext());
  expect(objects.map(namespaceOf)).toEqual([expected]);
});
