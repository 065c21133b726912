import { describe, expect, it } from 'vitest';
import { sha256 } from '../engine/index.ts';
import { FetchError, FileAccessError, ProgramError } from '../model/index.ts';
import type { Diagnostic, DirectoryEntry, EntryKind, FileSystem, ProgramCall } from '../model/index.ts';
import { memoryFileSystem } from '../forms/index.ts';
import { recordReads } from './index.ts';
import type { Look } from './index.ts';

function findingIn(file: string, related?: string): Diagnostic {
  const finding: Diagnostic = { code: 'x', severity: 'error', message: 'x', location: { file } };
  return related === undefined ? finding : { ...finding, related: [{ message: 'y', location: { file: related } }] };
}

describe('the texts of a record', () => {
  it('are those that findings point into, as they were read', async () => {
    const changing = memoryFileSystem({ 'a.yaml': 'first', 'b.yaml': 'b' });
    let reads = 0;
    const record = recordReads({
      fileSystem: {
        ...changing,
        readText: (path) => (path === 'a.yaml' ? `read ${++reads}` : changing.readText(path)),
      },
    });
    record.remember({ path: 'stdin', text: 'typed' });
    await record.fileSystem.readText('a.yaml');
    const findings = [findingIn('a.yaml', 'b.yaml'), findingIn('a.yaml'), findingIn('gone.yaml'), findingIn('stdin')];
    expect(await record.sourcesOf([...findings, { code: 'x', severity: 'note', message: 'x' }])).toEqual([
      { path: 'a.yaml', text: 'read 1' },
      { path: 'b.yaml', text: 'b' },
      { path: 'stdin', text: 'typed' },
    ]);
  });

  it('come from a file system that is an instance of a class', async () => {
    class OneFile implements FileSystem {
      readonly #entry: DirectoryEntry = { name: 'a', kind: 'file' };
      readText(): string {
        return `the text of ${this.#entry.name}`;
      }
      list(): readonly DirectoryEntry[] {
        return [this.#entry];
      }
      kindOf(): EntryKind {
        return this.#entry.kind;
      }
    }
    const { fileSystem } = recordReads({ fileSystem: new OneFile() });
    expect(await fileSystem.readText('a')).toBe('the text of a');
    expect(await fileSystem.list('.')).toEqual([{ name: 'a', kind: 'file' }]);
    expect(await fileSystem.kindOf('a')).toBe('file');
  });
});

describe('the reads of a record', () => {
  it('list what was read, with the result', async () => {
    const files = memoryFileSystem({ 'd/a.yaml': 'a', 'd/b.yaml': 'b' });
    const bytes = new Uint8Array([1, 2]);
    const { fileSystem, reads } = recordReads({ fileSystem: { ...files, readBytes: () => bytes } });
    await fileSystem.list('d');
    await fileSystem.readText('d/b.yaml');
    await fileSystem.readBytes!('d/c.bin');
    await fileSystem.kindOf('d/a.yaml');
    await fileSystem.kindOf('kurel.accept.yaml');
    await expect(fileSystem.readText('gone.yaml')).rejects.toThrow(FileAccessError);
    expect(await reads()).toEqual([
      { type: 'directory', path: 'd', entries: [expect.objectContaining({ name: 'a.yaml' }), expect.anything()] },
      { type: 'failure', path: 'gone.yaml', look: 'content', reason: 'not-found' },
      { type: 'file', path: 'd/b.yaml', sha256: sha256('b') },
      { type: 'file', path: 'd/c.bin', sha256: sha256(bytes) },
      { type: 'kind', path: 'd/a.yaml', kind: 'file' },
      { type: 'kind', path: 'kurel.accept.yaml', kind: 'absent' },
    ]);
  });

  it('have the programs with their versions and variables, and the files near their arguments', async () => {
    const asked: ProgramCall[] = [];
    const runner = {
      run(call: ProgramCall) {
        asked.push(call);
        const isVersion = call.args[0] === 'version';
        const variables = { HTTPS_PROXY: 'http://user:secret@proxy', NO_PROXY: undefined };
        return { exitCode: 0, stdout: isVersion ? 'v3.1.4\n' : '', stderr: '', ...(isVersion ? {} : { variables }) };
      },
    };
    const fileSystem = memoryFileSystem({ 'chart/Chart.yaml': 'c', 'chart/.git/HEAD': 'x', 'other/a': 'a' });
    for (const _ of [1, 2]) {
      const record = recordReads({ fileSystem, programs: runner });
      await record.programs!.run({ program: 'helm', args: ['template', './chart', './gone'] });
      const reads = await record.reads();
      expect(reads.filter(({ type }) => type !== 'directory')).toEqual([
        { type: 'file', path: 'chart/Chart.yaml', sha256: sha256('c') },
        { type: 'program', program: 'helm', version: 'v3.1.4' },
        { type: 'variable', name: 'HTTPS_PROXY', sha256: sha256('http://user:secret@proxy') },
        { type: 'variable', name: 'NO_PROXY', sha256: undefined },
      ]);
      expect(JSON.stringify(reads)).not.toContain('secret');
    }
    expect(asked.map(({ args }) => args[0])).toEqual(['template', 'version', 'template']);
  });

  it('have no version of a program that cannot print it', async () => {
    const versionOf = async (answer: () => { exitCode: number; stdout: string; stderr: string }): Promise<unknown> => {
      const { programs, reads } = recordReads({
        fileSystem: memoryFileSystem({}),
        programs: { run: ({ args }) => (args[0] === 'version' ? answer() : { exitCode: 0, stdout: '', stderr: '' }) },
      });
      await programs!.run({ program: 'kustomize', args: [] });
      return reads();
    };
    const unknown = [{ type: 'program', program: 'kustomize', version: undefined }];
    expect(await versionOf(() => ({ exitCode: 1, stdout: 'no such command', stderr: '' }))).toEqual(unknown);
    const missing = (): never => {
      throw new ProgramError('kustomize', 'not-found', 'no kustomize');
    };
    expect(await versionOf(missing)).toEqual(unknown);
    const defect = (): never => {
      throw new TypeError('a defect');
    };
    await expect(versionOf(defect)).rejects.toThrow('a defect');
  });

  it('have the URLs', async () => {
    const { fetcher, reads } = recordReads({
      fileSystem: memoryFileSystem({}),
      fetcher: {
        async fetch({ url }) {
          if (url.endsWith('gone')) throw new FetchError('status', 'no', { url });
          return { url, bytes: new Uint8Array([7]), headers: {} };
        },
      },
    });
    const request = { allowHost: () => true, maxBytes: 10 };
    await fetcher!.fetch({ ...request, url: 'https://a/x' });
    await expect(fetcher!.fetch({ ...request, url: 'https://a/gone' })).rejects.toThrow(FetchError);
    expect(await reads()).toEqual([
      { type: 'url', url: 'https://a/x', sha256: sha256(new Uint8Array([7])) },
      { type: 'url-failure', url: 'https://a/gone', failure: 'status' },
    ]);
  });

  it('are announced before they happen', async () => {
    const events: string[] = [];
    const files = memoryFileSystem({ a: '1' });
    const world = {
      fileSystem: {
        ...files,
        readText(path: string) {
          events.push(`read ${path}`);
          return files.readText(path);
        },
      },
      programs: { run: () => (events.push('run'), { exitCode: 0, stdout: '', stderr: '' }) },
    };
    const { fileSystem, programs } = recordReads(world, {
      note: (path: string, look: Look) => void events.push(`note ${look} ${path}`),
      noteProgram: ({ program }) => void events.push(`note ${program}`),
    });
    await fileSystem.readText('a');
    await programs!.run({ program: 'helm', args: [] });
    expect(events).toEqual(['note content a', 'read a', 'note helm', 'run']);
  });
});

describe('a package in a registry', () => {
  it('is one read, whatever is read from it', async () => {
    const pinned = 'oci://example.com/web@sha256:12';
    const files = memoryFileSystem({ 'oci://example.com/web:1/app.yaml': 'a', 'values.yaml': 'v' });
    const packageAt = (path: string) =>
      path.startsWith('oci:') ? { reference: 'oci://example.com/web:1', pinned, isPinned: false } : undefined;
    const { fileSystem, reads } = recordReads({ fileSystem: { ...files, packageAt } });
    await fileSystem.readText('oci://example.com/web:1/app.yaml');
    await fileSystem.list('oci://example.com/web:1');
    await fileSystem.kindOf('oci://example.com/web:1/kurel.yaml');
    await fileSystem.readText('values.yaml');
    expect(await reads()).toEqual([
      { type: 'file', path: 'values.yaml', sha256: sha256('v') },
      { type: 'package', reference: pinned },
    ]);
  });
});
