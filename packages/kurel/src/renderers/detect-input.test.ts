import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import type { FileSystem } from '../model/index.ts';
import { detectInput } from './detect-input.ts';
import { memoryFileSystem } from './memory-file-system.ts';

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
  'patch/parameters.yaml': '',
  'patched-chart/parameters.yaml': '',
  'patched-chart/Chart.yaml': '',
  'chart.tgz': '',
  'single.yaml': '',
});

const withPipe: FileSystem = { ...fileSystem, kindOf: (path) => (path === 'pipe' ? 'other' : fileSystem.kindOf(path)) };

async function detect(path: string): Promise<string> {
  try {
    const { form, path: at } = await detectInput(withPipe, path);
    return `${form} ${at}`;
  } catch (error) {
    return diagnosticsOf(error)!
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
      'input-ambiguous: "both" could be a kustomization (kustomization.yml) or a chart (Chart.yaml); say which with --as kustomization or --as chart or --as manifests',
    ],
    ['package', 'application package'],
    ['whole', 'application whole'],
    ['application/app.yaml', 'application application'],
    ['patch', 'patch-package patch'],
    [
      'patched-chart',
      'input-ambiguous: "patched-chart" could be a patch package (parameters.yaml) or a chart (Chart.yaml); say which with --as patch-package or --as chart or --as manifests',
    ],
    ['chrat', 'input-not-found: "chrat" does not exist; did you mean "chart"?'],
    [
      'pipe',
      'input-not-a-file: "pipe" is a device, a pipe, a socket or a link that leads nowhere; use - to read manifests from standard input',
    ],
    ['zzz', 'input-not-found: "zzz" does not exist; undefined'],
  ])('%s', async (path, expected) => {
    expect(await detect(path)).toBe(expected);
  });
});
