import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import type { FileSystem } from '../model/index.ts';
import { detectInput } from './detect-input.ts';
import { memoryFileSystem } from './memory-file-system.ts';
import { asPrinted } from '../../test/format-printed.ts';

const packageText = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\n';
const applicationText = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\n';

const fileSystem = memoryFileSystem({
  'plain/a.yaml': '',
  'plain/app.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Application\n',
  'plain/kurel.yaml': 'anything: else\n',
  'k1/kustomization.yaml': '',
  'k2/kustomization.yml': '',
  'k3/Kustomization': '',
  'k4/kustomization.yaml': '',
  'k4/kustomization.yml': '',
  'chart/Chart.yaml': '',
  'both/Chart.yaml': '',
  'both/kustomization.yml': '',
  'package/kurel.yaml': packageText,
  'application/app.yaml': applicationText,
  'whole/kurel.yaml': packageText,
  'whole/app.yaml': applicationText,
  'whole/other.yaml': applicationText,
  'whole/other.txt': applicationText,
  'slip/app.yaml': 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Aplication\n',
  'usual/app.yaml': `${applicationText}metadata:\n  name: usual\n`,
  'invalid/app.yaml': `${applicationText}metadata: [\n`,
  'continued/app.yaml': `${applicationText} Group\n`,
  'oam/app.yaml': 'apiVersion: core.oam.dev/v1beta1\nkind: Application\n',
  'patch/parameters.yaml': '',
  'vw.kurel/paramters.yaml': '',
  'vw.kurel/README.md': '',
  'empty.kurel/resources/a.yaml': '',
  'vw.local.kurel/patches/a.kpatch': '',
  'app.kurel/app.yaml': applicationText,
  'unmarked/resources/a.yaml': '',
  'unmarked/patches/features/a.kpatch': '',
  'other-patches/resources/a.yaml': '',
  'other-patches/patches/a.yaml': '',
  'only-patches/a.yaml': '',
  'only-patches/patches/a.kpatch': '',
  'patched-chart/parameters.yaml': '',
  'patched-chart/Chart.yaml': '',
  'chart.tgz': '',
  'single.yaml': '',
});

const withPipe: FileSystem = { ...fileSystem, kindOf: (path) => (path === 'pipe' ? 'other' : fileSystem.kindOf(path)) };

async function detect(path: string): Promise<string> {
  try {
    const { form, path: at } = await detectInput({ fileSystem: withPipe, path });
    return `${form.name} ${at}`;
  } catch (error) {
    return asPrinted(diagnosticsOf(error)!)
      .map(({ code, message, hint }) => `${code}: ${message}; ${hint}`)
      .join('\n');
  }
}

describe('detectInput', () => {
  it.each([
    ['plain', 'manifests plain'],
    ['single.yaml', 'manifests single.yaml'],
    ['plain/app.yaml', 'manifests plain/app.yaml'],
    ['plain/*.yaml', 'manifests plain/*.yaml'],
    ['k1', 'kustomization k1'],
    ['k2/', 'kustomization k2/'],
    ['k3', 'kustomization k3'],
    ['k4', 'kustomization k4'],
    ['k1/kustomization.yaml', 'kustomization k1'],
    ['chart', 'chart chart'],
    ['chart/Chart.yaml', 'chart chart'],
    ['chart.tgz', 'chart chart.tgz'],
    [
      'both',
      'input-ambiguous: "both" is ambiguous: it could be a kustomization (kustomization.yml) or a chart (Chart.yaml); pass --as kustomization, --as chart or --as manifests',
    ],
    ['package', 'application package'],
    ['whole', 'application whole'],
    ['application/app.yaml', 'application application'],
    ['whole/other.yaml', 'application whole/other.yaml'],
    ['whole/other.txt', 'manifests whole/other.txt'],
    ['slip', 'application slip'],
    ['usual', 'application usual'],
    ['invalid', 'application invalid'],
    ['continued', 'manifests continued'],
    ['oam', 'manifests oam'],
    ['patch', 'patch-package patch'],
    [
      'vw.kurel',
      'input-package-unmarked: "vw.kurel" looks like a patch package, but has no parameters.yaml; rename "paramters.yaml", or pass --as manifests to build the files without patches',
    ],
    [
      'empty.kurel/',
      'input-package-unmarked: "empty.kurel/" looks like a patch package, but has no parameters.yaml; add one, or pass --as manifests to build the files without patches',
    ],
    [
      'unmarked',
      'input-package-unmarked: "unmarked" looks like a patch package, but has no parameters.yaml; add one, or pass --as manifests to build the files without patches',
    ],
    ['vw.kurel/README.md', 'manifests vw.kurel/README.md'],
    ['vw.local.kurel', 'patch-package vw.local.kurel'],
    ['app.kurel', 'application app.kurel'],
    ['other-patches', 'manifests other-patches'],
    ['only-patches', 'manifests only-patches'],
    [
      'patched-chart',
      'input-ambiguous: "patched-chart" is ambiguous: it could be a patch package (parameters.yaml) or a chart (Chart.yaml); pass --as patch-package, --as chart or --as manifests',
    ],
    ['chrat', 'input-not-found: "chrat" does not exist; did you mean "chart"?'],
    [
      'pipe',
      'input-not-a-file: "pipe" is a device, a pipe, a socket or a broken link; use - to read manifests from standard input',
    ],
    ['zzz', 'input-not-found: "zzz" does not exist; undefined'],
  ])('%s', async (path, expected) => {
    expect(await detect(path)).toBe(expected);
  });

  it.each([
    ['oam', 'application oam'],
    ['oam/app.yaml', 'application oam'],
    ['plain', 'manifests plain'],
  ])('%s, with what only applications have a use for', async (path, expected) => {
    const { form, path: at } = await detectInput({ fileSystem, path, isForApplications: true });
    expect(`${form.name} ${at}`).toBe(expected);
  });

  it.each([
    ['application', 'application/app.yaml', 'application'],
    ['application', 'whole/other.yaml', 'whole/other.yaml'],
    ['patch-package', 'patch/parameters.yaml', 'patch'],
    ['kustomization', 'k1/kustomization.yaml', 'k1'],
    ['chart', 'chart/Chart.yaml', 'chart'],
    ['chart', 'chart.tgz', 'chart.tgz'],
    ['manifests', 'chart/Chart.yaml', 'chart/Chart.yaml'],
  ])('as %s, takes %s for %s', async (as, path, expected) => {
    const { form, path: at } = await detectInput({ fileSystem, path, as });
    expect(`${form.name} ${at}`).toBe(`${as} ${expected}`);
  });
});
