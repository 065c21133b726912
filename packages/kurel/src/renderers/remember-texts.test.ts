import { describe, expect, it } from 'vitest';
import type { Diagnostic, DirectoryEntry, EntryKind, FileSystem } from '../model/index.ts';
import { memoryFileSystem } from './memory-file-system.ts';
import { rememberTexts } from './remember-texts.ts';

function findingIn(file: string, related?: string): Diagnostic {
  const finding: Diagnostic = { code: 'x', severity: 'error', message: 'x', location: { file } };
  return related === undefined ? finding : { ...finding, related: [{ message: 'y', location: { file: related } }] };
}

describe('rememberTexts', () => {
  it('gives the texts that findings point into, as they were read', async () => {
    const files: Record<string, string> = { 'a.yaml': 'first', 'b.yaml': 'b' };
    const changing = memoryFileSystem(files);
    let reads = 0;
    const texts = rememberTexts(
      { ...changing, readText: (path) => (path === 'a.yaml' ? `read ${++reads}` : changing.readText(path)) },
      [{ path: 'stdin', text: 'typed' }],
    );
    await texts.fileSystem.readText('a.yaml');
    const findings = [findingIn('a.yaml', 'b.yaml'), findingIn('a.yaml'), findingIn('gone.yaml'), findingIn('stdin')];
    expect(await texts.sourcesOf([...findings, { code: 'x', severity: 'note', message: 'x' }])).toEqual([
      { path: 'a.yaml', text: 'read 1' },
      { path: 'b.yaml', text: 'b' },
      { path: 'stdin', text: 'typed' },
    ]);
  });

  it('takes a file system that is an instance of a class', async () => {
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
    const { fileSystem } = rememberTexts(new OneFile());
    expect(await fileSystem.readText('a')).toBe('the text of a');
    expect(await fileSystem.list('.')).toEqual([{ name: 'a', kind: 'file' }]);
    expect(await fileSystem.kindOf('a')).toBe('file');
  });
});
