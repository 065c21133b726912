import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import { lockOutput, type LockOptions } from './lock-output.ts';
import { signProcess } from './staging-directory.ts';
import { writeOutputDirectory } from './write-output-directory.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

const dead = spawnSync(process.execPath, ['-e', '']).pid;
const past = new Date('2020-01-01T00:00:00Z');
const elsewhere = '7 another.machine\n';
let count = 0;

function makePlace(): string {
  const directory = join(place, `case-${count++}`, 'out');
  mkdirSync(directory, { recursive: true });
  return directory;
}

function lockIn(directory: string): string {
  return join(directory, '.kurel-lock');
}

function signedBy(pid: number): string {
  return signProcess().replace(/^\d+/, String(pid));
}

/** The findings if the lock cannot be acquired. */
function failureOf(directory: string, options: LockOptions): readonly string[] {
  try {
    lockOutput(directory, options)();
    return [];
  } catch (error) {
    const found = diagnosticsOf(error) ?? expect.fail(String(error));
    return found.map(({ code, message, hint }) => `${code}: ${message} (${hint})`.replaceAll(directory, 'out'));
  }
}

describe('the lock of an output directory', () => {
  it('names its process, excludes others, and is removed afterwards', () => {
    const directory = makePlace();
    const unlock = lockOutput(directory);
    expect(readFileSync(lockIn(directory), 'utf8')).toBe(signProcess());
    let pauses = 0;
    expect(failureOf(directory, { attempts: 5, pause: () => pauses++ })).toEqual([
      expect.stringMatching(
        /^output-locked: "out" is locked by another build \(process \d+ on ".+"\) \(run the build again when .+ delete "out\/\.kurel-lock"\)$/,
      ),
    ]);
    expect(pauses).toBe(4);
    unlock();
    expect(readdirSync(directory)).toEqual([]);
    expect(failureOf(directory, { attempts: 1 })).toEqual([]);
  });

  it('makes other processes wait', () => {
    const directory = makePlace();
    const unlock = lockOutput(directory);
    let pauses = 0;
    const pause = (): void => {
      if (++pauses === 3) unlock();
    };
    let announced = 0;
    lockOutput(directory, { pause, onWait: () => void (announced += 1) })();
    expect({ pauses, announced }).toEqual({ pauses: 3, announced: 3 });
  });

  it.each<[string, boolean, string, Date?]>([
    ['of a dead process is removed', true, signedBy(dead)],
    ['of a process that runs is kept, however old', false, signProcess(), past],
    ['of another machine is kept', false, elsewhere],
    ['of another machine is removed when it is older than a day', true, elsewhere, past],
    ['of another process namespace is kept', false, `${dead} ${hostname()} pid:[1]\n`],
    ['that nobody signed is kept', false, ''],
    ['that nobody signed is removed when it is older than a minute', true, '', past],
    ['that is not one is kept', false, 'hands off\n', past],
  ])('%s', (_, isBroken, text, date) => {
    const directory = makePlace();
    writeFileSync(lockIn(directory), text);
    if (date !== undefined) utimesSync(lockIn(directory), date, date);
    expect(failureOf(directory, { attempts: 2, pause: () => undefined }).length === 0).toBe(isBroken);
    expect(existsSync(lockIn(directory))).toBe(!isBroken);
  });

  it('is not waited for, and kept, if it is a directory or another file', () => {
    const write = (lock: string): void => writeFileSync(lock, 'hands off\n');
    for (const create of [(lock: string): unknown => mkdirSync(lock), write]) {
      const directory = makePlace();
      create(lockIn(directory));
      const pause = (): void => expect.fail('nobody will remove it');
      expect(failureOf(directory, { pause })).toEqual([expect.stringMatching(/^output-locked: "out" is locked by/)]);
      expect(existsSync(lockIn(directory))).toBe(true);
    }
  });

  it('is waited for less once another one was not released', () => {
    const directory = makePlace();
    writeFileSync(lockIn(directory), elsewhere);
    let pauses = 0;
    const pause = (): void => void (pauses += 1);
    expect(failureOf(directory, { attempts: 50, pause })).toHaveLength(1);
    expect(pauses).toBe(49);
    expect(failureOf(directory, { pause })).toHaveLength(1);
    expect(pauses).toBeLessThan(49 + 20);
    const later = performance.now() + 120_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    try {
      pauses = 0;
      expect(failureOf(directory, { pause })).toHaveLength(1);
      expect(pauses).toBe(299);
    } finally {
      clock.mockRestore();
    }
  });

  it('of a dead process is removed by only one process, and by the next if that one is killed', () => {
    const directory = makePlace();
    const breaking = `${lockIn(directory)}-break`;
    writeFileSync(lockIn(directory), signedBy(dead));
    writeFileSync(breaking, '');
    let pauses = 0;
    const pause = (): void => {
      if (++pauses === 3) utimesSync(breaking, past, past);
    };
    lockOutput(directory, { pause })();
    // One attempt to clean up the interrupted removal, and one to remove the lock.
    expect(pauses).toBe(4);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is next to a directory that does not exist yet, and then inside', () => {
    const parent = makePlace();
    const directory = join(parent, 'a', 'b', 'new');
    const unlock = lockOutput(directory);
    expect(readdirSync(join(parent, 'a', 'b'))).toEqual(['.kurel-lock-of-new']);
    let unlockInside = (): void => undefined;
    const pause = (): void => {
      mkdirSync(directory);
      unlock();
      unlockInside = lockOutput(directory, { attempts: 1 });
      expect(existsSync(lockIn(directory))).toBe(true);
      unlockInside();
    };
    const unlockLast = lockOutput(directory, { pause });
    expect(existsSync(lockIn(directory))).toBe(true);
    unlockLast();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('next to a directory excludes only builds of that directory, also of one with a long name', () => {
    const parent = makePlace();
    const [long, similar] = ['b', 'c'].map((end) => join(parent, 'ä'.repeat(120) + end));
    const unlock = ['a', 'a-break', 'break'].map((name) => lockOutput(join(parent, name), { attempts: 1 }));
    const unlockLong = lockOutput(long!, { attempts: 1 });
    // Longer names may share a lock: such builds wait.
    for (const directory of [join(parent, 'a'), long!, similar!]) {
      expect(failureOf(directory, { attempts: 1 })).toEqual([expect.stringMatching(/^output-locked: /)]);
    }
    for (const one of [...unlock, unlockLong]) one();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('next to a directory is that of the parent if the parent is an output, too', () => {
    const parent = makePlace();
    writeOutputDirectory(parent, [{ path: 'a.yaml', text: '1' }], { owner: { instance: 'a', layout: 'flat' } });
    const unlock = lockOutput(join(parent, 'new'));
    expect(failureOf(parent, { attempts: 1 })).toEqual([expect.stringMatching(/^output-locked: "out" is locked by/)]);
    unlock();
    expect(failureOf(parent, { attempts: 1 })).toEqual([]);
  });

  it('of a killed process that was to create the directory is removed later', () => {
    const directory = makePlace();
    const lock = join(directory, '..', '.kurel-lock-of-out');
    writeFileSync(lock, signedBy(dead));
    writeOutputDirectory(directory, [{ path: 'a.yaml', text: '1' }], { owner: { instance: 'a', layout: 'flat' } });
    expect(existsSync(lock)).toBe(false);
  });

  it('removes the parent directories that it created', () => {
    const parent = makePlace();
    lockOutput(join(parent, 'a', 'b', 'new'))();
    expect(readdirSync(parent)).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('is not needed where nothing has to be written', () => {
    const directory = makePlace();
    const claim = { owner: { instance: 'a', layout: 'flat' } };
    writeOutputDirectory(directory, [{ path: 'a.yaml', text: '1' }], claim);
    chmodSync(directory, 0o555);
    try {
      expect(writeOutputDirectory(directory, [{ path: 'a.yaml', text: '1' }], claim)).toMatchObject({ unchanged: 1 });
      expect(() => writeOutputDirectory(directory, [{ path: 'a.yaml', text: '2' }], claim)).toThrow(
        'permission denied',
      );
    } finally {
      chmodSync(directory, 0o755);
    }
  });
});
