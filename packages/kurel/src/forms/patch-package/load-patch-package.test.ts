import { describe, expect, it } from 'vitest';
import { createOriginTable } from '../../engine/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { Diagnostic, FileSystem } from '../../model/index.ts';
import { examinePackage, memoryFileSystem, renderPackage } from '../index.ts';
import type { ExaminationRequest, PackageOptions } from '../index.ts';

const metadata = 'kurel: {name: app, version: 1.0.0, appVersion: "1"}\n';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\n';
const patch = '[configmap.cfg]\ndata.x: y\n';

function files(more: Readonly<Record<string, string>> = {}): FileSystem {
  return memoryFileSystem({
    'app.kurel/parameters.yaml': metadata,
    'app.kurel/resources/cm.yaml': configMap,
    'app.kurel/patches/10-a.kpatch': patch,
    ...more,
  });
}

async function codesOf(
  fileSystem: FileSystem,
  request: Partial<ExaminationRequest> = {},
  options: Partial<PackageOptions> = {},
): Promise<readonly string[]> {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const examined = await examinePackage({ fileSystem, path: 'app.kurel', ...request });
  Object.values(examined.found).flat().forEach(report);
  renderPackage(examined, { report, origins: createOriginTable(), ...options });
  return found.map(({ code }) => code);
}

describe('loadPatchPackage', () => {
  it('finds nothing wrong with a small package', async () => {
    expect(await codesOf(files())).toEqual([]);
  });

  it('traces which patches come along with others', async () => {
    const lines: string[] = [];
    const more = {
      'app.kurel/patches/10-a.yaml': 'requires: [20-b]\n',
      'app.kurel/patches/20-b.kpatch': patch,
      'app.kurel/patches/20-b.yaml': 'enabled: false\n',
    };
    expect(await codesOf(files(more), {}, { trace: (line) => void lines.push(line) })).toEqual(['patch-required']);
    expect(lines).toContain('patch enabled: 20-b.kpatch is required by 10-a.kpatch');
  });

  it('suggests a parameter for a mistyped reference, also among many', async () => {
    const parameters = Array.from({ length: 300 }, (_, index) => `name${'x'.repeat(index % 30)}${index}: a\n`).join('');
    const more = {
      'app.kurel/parameters.yaml': `${metadata}${parameters}image: web\n`,
      'app.kurel/resources/cm.yaml': `${configMap}data: {a: "\${imge}", b: "\${HOME}", c: "\${${'y'.repeat(100)}}"}\n`,
    };
    expect(await codesOf(files(more))).toEqual(['resource-reference-near', 'resource-reference-kept']);
  });

  it.each([
    ['a list', '[]'],
    ['a list with a number', '{exclude: [1]}'],
  ])('refuses namespaces that are %s', async (_, namespaces) => {
    const more = { 'app.kurel/parameters.yaml': `${metadata}global: {namespaces: ${namespaces}}\n` };
    expect(await codesOf(files(more))).toEqual(['namespaces-invalid']);
  });

  it('warns of a patch for a Namespace that no object is in', async () => {
    const more = { 'app.kurel/patches/20-b.kpatch': '[namespace.shop]\nlabels.a: b\n' };
    const create = {
      kind: 'values',
      source: { path: 'values', text: '' },
      data: { global: { namespaces: { create: true } } },
    } as const;
    expect(await codesOf(files(more), { layers: [create] })).toEqual(['patch-target-not-found']);
    const inside = { ...more, 'app.kurel/resources/cm.yaml': configMap.replace('}', ', namespace: shop}') };
    expect(await codesOf(files(inside), { layers: [create] })).toEqual([]);
  });

  it('takes no more patches than a package may have', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`app.kurel/patches/${index}.kpatch`, patch]),
    );
    expect(await codesOf(files(many))).toEqual(['package-too-large']);
  });

  it('warns of a large package and refuses a huge one', { tags: 'slow' }, async () => {
    const comment = (megabytes: number) => `# ${'x'.repeat(megabytes * 1024 * 1024)}\n${configMap}`;
    expect(await codesOf(files({ 'app.kurel/resources/cm.yaml': comment(11) }))).toEqual(['package-large']);
    expect(await codesOf(files({ 'app.kurel/resources/cm.yaml': comment(51) }))).toEqual(['package-too-large']);
  });

  it('takes one file of overrides', async () => {
    const twice = {
      'app.kurel/schemas/parameters.overrides.yaml': '',
      'app.kurel/schemas/parameters.overrides.json': '{}',
    };
    expect(await codesOf(files(twice))).toEqual(['package-overrides-twice']);
  });

  it('follows no link out of the package', async () => {
    const inside = files();
    const linked: FileSystem = {
      ...inside,
      list: async (directory) => [
        ...(await inside.list(directory)),
        ...(directory === 'app.kurel/resources'
          ? [{ name: 'z.yaml', kind: 'file', target: '../../x.yaml' } as const]
          : []),
      ],
    };
    expect(await codesOf(linked)).toEqual(['package-link-out']);
  });

  it('says what it cannot read', async () => {
    const inside = files();
    const closed: FileSystem = {
      ...inside,
      readText(path) {
        if (path.endsWith('cm.yaml')) throw new FileAccessError(path, 'no-permission');
        return inside.readText(path);
      },
    };
    expect(await codesOf(closed)).toEqual(['package-file-unreadable']);
  });

  it('goes round no circle of links', async () => {
    const inside = files();
    const circle: FileSystem = {
      ...inside,
      kindOf: (path) => (path.endsWith('/loop') ? 'directory' : inside.kindOf(path)),
      list: async (directory) => [
        ...(await inside.list(directory.replaceAll('/loop', ''))),
        ...(directory.startsWith('app.kurel/patches')
          ? [{ name: 'loop', kind: 'directory', target: '.' } as const]
          : []),
      ],
    };
    expect(await codesOf(circle)).toEqual([]);
  });

  it.each<[string, Partial<ExaminationRequest>, readonly string[]]>([
    ['a missing local extension', { local: 'nowhere' }, ['local-missing']],
    ['no local extension', { local: false }, []],
    ['a missing patch to enable', { force: ['10-b'] }, ['patch-forced-unknown']],
    ['a patch to enable', { force: ['10-a', 'patches/10-a.kpatch'] }, []],
  ])('%s', async (_, request, codes) => {
    expect(await codesOf(files(), request)).toEqual(codes);
  });
});
