import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  createReadStream,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileAccessError } from '../model/index.ts';
import { diskFileSystem, readToEnd, readUnchanged } from './disk-file-system.ts';
import { readStdin } from './read-stdin.ts';
import { toFileAccessError } from './file-errors.ts';
import { bundledSchemas } from './index.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
const root = join(place, 'root');
mkdirSync(join(root, 'directory'), { recursive: true });
writeFileSync(join(place, 'secret.yaml'), 'secret: true\n');
writeFileSync(join(root, 'plain.yaml'), 'é: 1\r\n');
writeFileSync(join(root, 'mark.yaml'), '\uFEFFa: 1\n');
writeFileSync(join(root, 'Z.yaml'), '');
writeFileSync(join(root, 'ä.yaml'), '');
writeFileSync(join(root, 'utf16le.yaml'), Buffer.from('\uFEFFa: 1\n', 'utf16le'));
writeFileSync(join(root, 'utf16be.yaml'), Buffer.from([0xfe, 0xff, 0, 0x61]));
writeFileSync(join(root, 'latin1.yaml'), Buffer.from('é', 'latin1'));
symlinkSync('plain.yaml', join(root, 'link-inside.yaml'));
symlinkSync('../secret.yaml', join(root, 'link-out.yaml'));
symlinkSync('..', join(root, 'link-up'));
symlinkSync('link-loop-b', join(root, 'link-loop-a'));
symlinkSync('link-loop-a', join(root, 'link-loop-b'));
symlinkSync('nowhere', join(root, 'link-dangling'));
symlinkSync('/dev/zero', join(root, 'link-device'));
execFileSync('/usr/bin/mkfifo', [join(root, 'pipe.yaml')]);
afterAll(() => rmSync(place, { recursive: true }));

const bounded = diskFileSystem({ root });
const unbounded = diskFileSystem();

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof FileAccessError) return `${error.reason}: ${error.detail.replaceAll(place, '')}`;
    throw error;
  }
  return 'none';
}

describe('readText', () => {
  it.each([
    ['plain.yaml', 'é: 1\r\n'],
    ['mark.yaml', '\uFEFFa: 1\n'],
    ['link-inside.yaml', 'é: 1\r\n'],
    ['directory/../plain.yaml', 'é: 1\r\n'],
  ])('reads %s byte for byte', (path, text) => {
    expect(bounded.readText(join(root, path))).toBe(text);
  });

  it.each([
    ['missing.yaml', 'not-found: not found'],
    ['plain.yaml/x', 'not-found: not found: a parent of the path is not a directory'],
    ['directory', 'not-a-file: is a directory'],
    ['pipe.yaml', 'not-a-file: is a device, a pipe or a socket, not a file'],
    ['utf16le.yaml', 'not-utf-8: is UTF-16 text; save it as UTF-8'],
    ['utf16be.yaml', 'not-utf-8: is UTF-16 text; save it as UTF-8'],
    ['latin1.yaml', 'not-utf-8: is not UTF-8 text'],
    ['link-out.yaml', 'outside-root: is outside /root'],
    ['link-up/secret.yaml', 'outside-root: is outside /root'],
    ['../secret.yaml', 'outside-root: is outside /root'],
    ['link-device', 'outside-root: is outside /root'],
    ['link-loop-a', 'failed: its links form a cycle'],
    ['link-dangling', 'not-found: not found'],
    ['x'.repeat(300), 'failed: the name is too long for this file system'],
    ['a\0b', 'failed: is not a valid path: it contains a NUL character'],
  ])('rejects %s', (path, refusal) => {
    expect(refusalOf(() => bounded.readText(`${root}/${path}`))).toBe(refusal);
  });

  it('reads everything without a root, but never opens a device', () => {
    expect(unbounded.readText(join(root, 'link-out.yaml'))).toBe('secret: true\n');
    expect(refusalOf(() => unbounded.readText(join(root, 'link-device')))).toMatch(/^not-a-file/);
  });

  it('enforces the size limit', () => {
    const small = diskFileSystem({ maxFileBytes: 6 });
    expect(small.readText(join(root, 'utf16be.yaml').replace('utf16be', 'Z'))).toBe('');
    expect(refusalOf(() => small.readText(join(root, 'plain.yaml')))).toBe(
      'too-large: has 7 bytes, more than the limit of 6 for one file',
    );
  });
});

describe('pipes that the user names', () => {
  const pipe = join(root, 'pipe.yaml');
  const write = (text: string): void => {
    spawn('/bin/sh', ['-c', 'printf %s "$1" > "$2"', 'sh', text, pipe], { stdio: 'ignore' });
  };

  it('are read to the end', async () => {
    const text = 'é: 1\n'.repeat(20_000);
    write(text);
    expect(await diskFileSystem({ pipes: true }).readText(pipe)).toBe(text);
  });

  it('have a size limit', async () => {
    write('1234567');
    await expect(diskFileSystem({ pipes: true, maxFileBytes: 6 }).readText(pipe)).rejects.toMatchObject({
      reason: 'too-large',
      detail: 'has more than the limit of 6 bytes for one file',
    });
  });

  it('may be descriptors without a real path', { tags: 'slow' }, () => {
    const host = join(place, 'host.mjs');
    const entryPoints = [join(import.meta.dirname, 'index.ts')];
    buildSync({ entryPoints, outfile: host, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
    writeFileSync(
      join(place, 'read.mjs'),
      `import { diskFileSystem } from './host.mjs';
      const [path] = process.argv.slice(2);
      let refusal;
      try { diskFileSystem().readText(path) } catch (error) { refusal = error.reason }
      console.log(JSON.stringify([refusal, await diskFileSystem({ pipes: true }).readText(path)]));`,
    );
    const command = `"$0" "$1" <(printf 'a: 1')`;
    const output = execFileSync('bash', ['-c', command, process.execPath, join(place, 'read.mjs')], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual(['not-found', 'a: 1']);
  });

  it('may be deleted files, as here-documents are', () => {
    const file = join(place, 'here');
    writeFileSync(file, 'a: 1\n');
    const descriptor = openSync(file, 'r');
    rmSync(file);
    expect(diskFileSystem({ pipes: true }).readText(`/dev/fd/${descriptor}`)).toBe('a: 1\n');
    closeSync(descriptor);
  });

  it.each([
    ['missing.yaml', 'not-found: not found'],
    ['directory', 'not-a-file: is a directory'],
    ['link-device', 'not-a-file: is a device, a pipe or a socket, not a file'],
  ])('do not allow %s', (path, refusal) => {
    expect(refusalOf(() => diskFileSystem({ pipes: true }).readText(join(root, path)))).toBe(refusal);
  });

  it('are not read with a root', () => {
    expect(refusalOf(() => diskFileSystem({ pipes: true, root }).readText(pipe))).toMatch(/^not-a-file/);
  });
});

describe('list', () => {
  it('sorts by code unit and resolves links', () => {
    expect(bounded.list(root)).toEqual([
      { name: 'Z.yaml', kind: 'file' },
      { name: 'directory', kind: 'directory' },
      { name: 'latin1.yaml', kind: 'file' },
      { name: 'link-dangling', kind: 'other' },
      { name: 'link-device', kind: 'other', escapes: true },
      { name: 'link-inside.yaml', kind: 'file', target: 'plain.yaml' },
      { name: 'link-loop-a', kind: 'other' },
      { name: 'link-loop-b', kind: 'other' },
      { name: 'link-out.yaml', kind: 'other', escapes: true },
      { name: 'link-up', kind: 'other', escapes: true },
      { name: 'mark.yaml', kind: 'file' },
      { name: 'pipe.yaml', kind: 'other' },
      { name: 'plain.yaml', kind: 'file' },
      { name: 'utf16be.yaml', kind: 'file' },
      { name: 'utf16le.yaml', kind: 'file' },
      { name: 'ä.yaml', kind: 'file' },
    ]);
  });

  it('returns the relative path from the real directory to the target of a link', () => {
    const deep = join(place, 'deep');
    mkdirSync(join(deep, 'a', 'b'), { recursive: true });
    symlinkSync('a/b', join(deep, 'short'));
    symlinkSync(deep, join(deep, 'a', 'b', 'up'));
    symlinkSync('.', join(deep, 'a', 'b', 'self'));
    expect(unbounded.list(join(deep, 'short'))).toEqual([
      { name: 'self', kind: 'directory', target: '.' },
      { name: 'up', kind: 'directory', target: '../..' },
    ]);
  });

  it('resolves relative paths against the working directory', () => {
    const fileSystem = diskFileSystem({ workingDirectory: place, root: 'root' });
    expect(fileSystem.readText('root/plain.yaml')).toBe('é: 1\r\n');
    expect(fileSystem.list('root/directory')).toEqual([]);
    expect(fileSystem.kindOf('root/link-dangling')).toBe('other');
    expect(refusalOf(() => fileSystem.readText('secret.yaml'))).toBe('outside-root: is outside root');
  });

  it.each([
    ['plain.yaml', 'not-a-directory: not a directory'],
    ['missing', 'not-found: not found'],
    ['..', 'outside-root: is outside /root'],
  ])('rejects %s', (path, refusal) => {
    expect(refusalOf(() => bounded.list(`${root}/${path}`))).toBe(refusal);
  });
});

describe('kindOf', () => {
  it.each([
    ['plain.yaml', 'file'],
    ['directory', 'directory'],
    ['link-inside.yaml', 'file'],
    ['pipe.yaml', 'other'],
    ['link-dangling', 'other'],
    ['link-loop-a', 'other'],
    ['missing', undefined],
    ['plain.yaml/x', undefined],
  ])('%s is %s', (path, kind) => {
    expect(bounded.kindOf(`${root}/${path}`)).toBe(kind);
  });

  it('rejects paths outside the root', () => {
    expect(refusalOf(() => bounded.kindOf(join(root, 'link-out.yaml')))).toBe('outside-root: is outside /root');
  });
});

// Simulated, because root can read everything.
describe('the system error', () => {
  it.each([
    ['EACCES', 'no-permission'],
    ['EPERM', 'no-permission'],
    ['EIO', 'failed'],
  ])('%s becomes %s', (code, reason) => {
    const error = Object.assign(new Error('x'), { code });
    expect(toFileAccessError('a.yaml', error)).toMatchObject({ path: 'a.yaml', reason, cause: error });
  });
});

let directory = '';
let descriptor = 0;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kurel-open-'));
  writeFileSync(join(directory, 'a'), 'some text');
  descriptor = openSync(join(directory, 'a'), 'r+');
});

afterEach(() => {
  closeSync(descriptor);
  rmSync(directory, { recursive: true });
});

describe('an open file', () => {
  const file = () => ({ path: 'a', descriptor, maxFileBytes: 20 });

  it('is read completely', () => {
    expect(readUnchanged(file(), fstatSync(descriptor)).toString()).toBe('some text');
  });

  it('is an error if it changes while it is read', () => {
    const before = fstatSync(descriptor);
    appendFileSync(join(directory, 'a'), ' and more');
    expect(() => readUnchanged(file(), before)).toThrow('a: was changed while it was read');
  });

  it('is an error if it is truncated while it is read', () => {
    const before = fstatSync(descriptor);
    writeFileSync(join(directory, 'a'), 'some');
    expect(() => readUnchanged(file(), before)).toThrow('a: was changed while it was read');
  });

  it('is read to its end if it reports no size', () => {
    expect(readToEnd(file()).toString()).toBe('some text');
  });

  it('has a size limit', () => {
    writeFileSync(join(directory, 'a'), 'x'.repeat(21));
    expect(() => readToEnd(file())).toThrow('a: has more than the limit of 20 bytes for one file');
  });
});

// It reports no size and is practically endless.
describe.runIf(process.platform === 'linux')('a file without a size', () => {
  it('has a size limit too', () => {
    const disk = diskFileSystem({ maxFileBytes: 1_000_000 });
    expect(() => disk.readText('/proc/self/pagemap')).toThrow('has more than the limit of 1000000 bytes');
  });
});

describe('readStdin', () => {
  it('joins characters that are split between chunks', async () => {
    const bytes = Buffer.from('aé');
    expect(await readStdin(Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]))).toBe('aé');
  });

  const large = Buffer.alloc(64 * 1024 * 1024);
  it.each<[string, AsyncIterable<Uint8Array>, string, string]>([
    ['UTF-16', Readable.from([Buffer.from([0xff, 0xfe, 0x61])]), 'not-utf-8', 'is UTF-16 text; save it as UTF-8'],
    ['other bytes', Readable.from([Buffer.from([0x61, 0xff])]), 'not-utf-8', 'is not UTF-8 text'],
    [
      'too much',
      Readable.from(Array.from({ length: 5 }, () => large)),
      'too-large',
      'has more than the limit of 268435456 bytes',
    ],
    ['a directory', createReadStream('', { fd: openSync('.', 'r') }), 'not-a-file', 'is a directory'],
  ])('rejects %s', async (_, input, reason, detail) => {
    const error: unknown = await readStdin(input).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(FileAccessError);
    expect(error).toMatchObject({ path: 'stdin', reason, detail });
  });
});

it('reads the data of the package, decompressed', () => {
  const files = bundledSchemas();
  expect(JSON.parse(files.read('manifest.json'))).toHaveProperty('kubernetes.file', 'kubernetes');
  expect(files.read('kubernetes.jsonl')).toMatch(/^\{.*\}\n$/s);
  expect(files.read('kubernetes.words.jsonl')).toContain('Deployment enables declarative updates');
  expect(() => files.read('nothing.jsonl')).toThrow('nothing.jsonl');
});
