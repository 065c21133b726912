import { expect, it } from 'vitest';
import { memoryFileSystem } from '../../index.ts';
import { FileAccessError } from '../../model/index.ts';
import { isRemotePath, mountPackages } from './mount-packages.ts';

const directory = 'oci://example.com/web:1.0';
const origin = { reference: directory, pinned: 'oci://example.com/web@sha256:12', isPinned: false };
const files = mountPackages(memoryFileSystem({ 'app.yaml': 'disk', 'oci/x': 'disk' }), [
  {
    directory,
    fileSystem: { ...memoryFileSystem({ [`${directory}/a/app.yaml`]: 'package' }), packageAt: () => origin },
  },
]);

it('has the files of the disk and of packages', async () => {
  expect(await files.readText('app.yaml')).toBe('disk');
  expect(await files.readText(`${directory}/a/app.yaml`)).toBe('package');
  // Joining paths may have removed a slash.
  expect(await files.readText('oci:/example.com/web:1.0/a/./app.yaml')).toBe('package');
  expect(new TextDecoder().decode(await files.readBytes!(`${directory}/a/app.yaml`))).toBe('package');
  expect(await files.list(directory)).toEqual([{ name: 'a', kind: 'directory' }]);
});

it('knows which package a path is in', () => {
  expect(files.packageAt!(directory)).toBe(origin);
  expect(files.packageAt!(`${directory}/a`)).toBe(origin);
  expect(files.packageAt!('app.yaml')).toBeUndefined();
  expect(files.packageAt!('oci://example.com/web:1.0.1')).toBeUndefined();
});

it('has nothing beside packages, not even on the disk', async () => {
  expect(await files.kindOf('oci://example.com/web:1.0.local.kurel')).toBeUndefined();
  expect(await files.kindOf(`${directory}/../x`)).toBeUndefined();
  expect(() => files.list('oci://example.com')).toThrow(FileAccessError);
});

it.each([
  ['oci://example.com/web:1.0', true],
  ['oci:/example.com/web:1.0/app.yaml', true],
  ['oci', false],
  ['oci/web', false],
  ['./oci://example.com', false],
  ['https://example.com', false],
])('knows whether %s is in a registry: %s', (path, expected) => {
  expect(isRemotePath(path)).toBe(expected);
});
