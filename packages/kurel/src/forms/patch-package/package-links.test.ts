import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskFileSystem } from '../../host/index.ts';
import { loadPatchPackage } from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

const files: Readonly<Record<string, string>> = {
  'app.kurel/parameters.yaml': 'kurel: {name: app, version: 1.0.0, appVersion: "1"}\n',
  'app.kurel/resources/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\n',
  'app.kurel/patches/a.kpatch': '[configmap.cfg]\ndata.x: y\n',
  'app.local.kurel/parameters.yaml': 'a: 1\n',
  'out/parameters.yaml': 'kurel: {name: app, version: 1.0.0, appVersion: "1"}\n',
  'out/crds/x.yaml': 'a: 1\n',
};
let count = 0;

/** A package in which `name` is what `make` makes of it. */
async function findingsOf(name: string, make: (path: string) => void): Promise<readonly string[]> {
  count += 1;
  const directory = join(place, String(count));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const path = join(directory, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  make(path);
  const found: string[] = [];
  const fileSystem = diskFileSystem({ workingDirectory: directory });
  const report = ({ code }: { readonly code: string }): void => void found.push(code);
  const pkg = await loadPatchPackage({ fileSystem, path: 'app.kurel' }, report);
  return [...found, ...(pkg === undefined ? [] : ['loaded'])];
}

describe('a package', () => {
  it.each([
    ['app.kurel/parameters.yaml', '../out/parameters.yaml'],
    ['app.kurel/resources', '../out'],
    ['app.kurel/patches', '../out'],
    ['app.kurel/schemas', '../out'],
    ['app.kurel/schemas/crds', '../../out/crds'],
    ['app.kurel/schemas/parameters.overrides.yaml', '../../out/parameters.yaml'],
    ['app.kurel/resources/sub', '../../out'],
    ['app.local.kurel/parameters.yaml', '../out/parameters.yaml'],
    ['app.local.kurel/patches', '../out'],
  ])('does not have %s elsewhere', async (name, target) => {
    const found = await findingsOf(name, (path) => symlinkSync(target, path));
    expect(new Set(found)).toEqual(new Set(['package-link-out']));
  });

  it('may have links that stay in it', async () => {
    expect(await findingsOf('app.kurel/more', (path) => symlinkSync('resources', path))).toEqual(['loaded']);
    expect(await findingsOf('app.kurel/resources/more', (path) => symlinkSync('../patches', path))).toEqual([
      'package-file-unread',
      'loaded',
    ]);
  });

  it.each([
    'app.kurel/parameters.yaml',
    'app.kurel/resources',
    'app.kurel/resources/b.yaml',
    'app.kurel/patches',
    'app.kurel/patches/a.yaml',
    'app.kurel/patches/b.kpatch',
    'app.local.kurel/parameters.yaml',
  ])('is not built without %s when that is a pipe or leads nowhere', async (name) => {
    for (const make of [
      (path: string) => symlinkSync('nowhere', path),
      (path: string) => void execFileSync('/usr/bin/mkfifo', [path]),
    ]) {
      expect(await findingsOf(name, make)).toEqual(['package-file-unreadable']);
    }
  });

  it('does not mind the lock of an editor', async () => {
    expect(await findingsOf('app.kurel/resources/.#cm.yaml', (path) => symlinkSync('me@host.1', path))).toEqual([
      'loaded',
    ]);
  });
});
