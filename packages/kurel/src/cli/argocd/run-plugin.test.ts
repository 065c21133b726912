import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { wordsOfSettings } from '../../settings/index.ts';
import { readSettings } from './run-plugin.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-settings-'));
const workingDirectory = join(place, 'repository', 'apps', 'web');
mkdirSync(workingDirectory, { recursive: true });
writeFileSync(join(place, 'secret.yaml'), 'token: x\n');
writeFileSync(join(workingDirectory, 'values.yaml'), '');
symlinkSync('../../../secret.yaml', join(workingDirectory, 'out.yaml'));
symlinkSync('values.yaml', join(workingDirectory, 'in.yaml'));
symlinkSync(place, join(workingDirectory, 'away'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function read(path: string, prefix = 'ARGOCD_ENV_'): readonly string[] {
  const variables = { ARGOCD_APP_SOURCE_PATH: 'apps/web', [`${prefix}KUREL_VALUES`]: path };
  return wordsOfSettings(readSettings({ variables, workingDirectory }));
}

describe('a path of an Application', () => {
  it.each(['values.yaml', 'in.yaml', '../../shared.yaml', './missing.yaml', '..values.yaml'])('may be %s', (path) => {
    expect(read(path)).toEqual([`--values=${path}`]);
  });

  it.each([
    'out.yaml',
    'away/secret.yaml',
    '../../../secret.yaml',
    'x/../../../../secret.yaml',
    '../../..',
    '/etc/passwd',
    '-',
    'values.yaml,out.yaml',
  ])('may not be %s', (path) => {
    expect(() => read(path)).toThrow('KUREL_VALUES of the Application must name a file of its repository');
  });

  it('is not limited if the operator of the sidecar sets it', () => {
    expect(read('/etc/kurel/values.yaml', '')).toEqual(['--values=/etc/kurel/values.yaml']);
  });

  it.each(['crds', '../../platform/crds'])('may be %s for CustomResourceDefinitions', (path) => {
    const variables = { ARGOCD_APP_SOURCE_PATH: 'apps/web', ARGOCD_ENV_KUREL_CRDS: path };
    expect(wordsOfSettings(readSettings({ variables, workingDirectory }))).toEqual([`--crds=${path}`]);
  });

  it.each(['away', 'aw*y/crds', '{away}/crds', '/etc'])('may not be %s for CustomResourceDefinitions', (path) => {
    const variables = { ARGOCD_APP_SOURCE_PATH: 'apps/web', ARGOCD_ENV_KUREL_CRDS: path };
    expect(() => readSettings({ variables, workingDirectory })).toThrow('KUREL_CRDS of the Application must name');
  });
});
