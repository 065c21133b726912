import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type ProgramCall, ProgramError } from '../model/index.ts';
import { type ProgramRunnerOptions, programRunner } from './program-runner.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

let count = 0;

/** A directory with a fake `helm`. */
function fakeTools(script: string, mode = 0o755): string {
  const directory = join(place, `tools-${count++}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'helm'), `#!${process.execPath}\n${script}\n`);
  chmodSync(join(directory, 'helm'), mode);
  return directory;
}

async function run(script: string, call: Partial<ProgramCall> = {}, options: Partial<ProgramRunnerOptions> = {}) {
  const runner = programRunner({ environment: { KUREL_TOOLS: fakeTools(script) }, ...options });
  return await runner.run({ program: 'helm', args: [], ...call });
}

async function refusalOf(result: Promise<unknown>): Promise<ProgramError> {
  const error: unknown = await result.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProgramError);
  return error as ProgramError;
}

describe('a call', () => {
  it('passes arguments unchanged and the input, and returns both outputs and the exit code', async () => {
    const script = `
      process.stdin.on('data', (data) => console.log(JSON.stringify([process.argv.slice(2), String(data)])));
      process.stdin.on('end', () => { console.error('careful'); process.exitCode = 3; });`;
    const args = ['$(touch x)', '; rm -rf "', '*', ''];
    expect(await run(script, { args, stdin: 'ü' })).toEqual({
      exitCode: 3,
      stdout: `${JSON.stringify([args, 'ü'])}\n`,
      stderr: 'careful\n',
    });
  });

  it('runs in the working directory', async () => {
    expect((await run('console.log(process.cwd())', {}, { workingDirectory: place })).stdout.trim()).toBe(
      realpathSync(place),
    );
  });

  it('succeeds if the program does not read its input', async () => {
    expect(await run('process.exit(0)', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it('does not wait for silent children of the program', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)'], { stdio: 'inherit' });
      child.unref();
      process.stdout.write('x'.repeat(200_000), () => process.exit(4));`;
    expect(await run(script, {}, { timeoutMs: 10_000 })).toEqual({
      exitCode: 4,
      stdout: 'x'.repeat(200_000),
      stderr: '',
    });
  });

  it('does not wait for children of the program that keep printing', { tags: 'slow' }, async () => {
    const child = 'setInterval(() => console.log(1), 50); setTimeout(() => process.exit(), 30000)';
    const script = `
      require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' }).unref();
      console.log('done');
      process.exit(0);`;
    expect((await run(script, {}, { timeoutMs: 10_000 })).stdout).toMatch(/^done\n/);
  });

  it.runIf(process.platform === 'linux')(
    'stops a program that uses too much memory, itself or in a child',
    { tags: 'slow' },
    async () => {
      const grow = 'const held = []; setInterval(() => held.push(Buffer.alloc(2 ** 24, 1)), 1)';
      const inChild = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grow)}]);
      setTimeout(() => {}, 60_000);`;
      for (const script of [grow, inChild]) {
        const error = await refusalOf(run(script, {}, { maxMemoryBytes: 2 ** 28 }));
        expect(error).toMatchObject({
          reason: 'too-much-memory',
          message: 'helm used more than 256 MiB of memory and was stopped',
          hint: [{ setting: 'maxProgramMemory', value: 'SIZE', isAdvised: true }, ' to allow more'],
        });
      }
    },
  );

  it('sets the memory limit of Go below its own', async () => {
    const { stdout } = await run('console.log(process.env.GOMEMLIMIT)', {}, { maxMemoryBytes: 2 ** 30 });
    expect(stdout).toBe('805306368B\n');
  });

  it.each([
    ['a path that is too long', `${'a/'.repeat(3000)}b`],
    ['a name that is too long', 'a'.repeat(300)],
  ])('reports %s in the workspace', async (_, path) => {
    const error = await refusalOf(run('', { workspace: { token: '@@', files: new Map([[path, '']]) } }));
    expect(error.message).toMatch(/^cannot copy ".*" for helm: the name is too long for this file system$/);
  });

  it('writes the workspace, and removes it and the home directory', async () => {
    const script = `
      const { readFileSync, statSync, writeFileSync } = require('node:fs');
      writeFileSync(process.env.HOME + '/left', 'behind');
      const place = process.argv[2].split('=')[1];
      console.error('see ' + place + '/a');
      console.log(JSON.stringify([place, readFileSync(place + '/a/b c.yaml', 'utf8'), statSync(place + '/..').mode & 0o777]));`;
    const files = new Map([['a/b c.yaml', 'text']]);
    const { stdout, stderr } = await run(script, { args: ['--at=@@'], workspace: { token: '@@', files } });
    const [directory, text, mode] = JSON.parse(stdout) as [string, string, number];
    expect([text, mode]).toEqual(['text', 0o700]);
    expect(stderr).toBe('see @@/a\n');
    expect(existsSync(join(directory, '..'))).toBe(false);
  });

  it.each(['../x', '/x', 'a/../../x', ''])('rejects the workspace path "%s"', async (path) => {
    const workspace = { token: '@@', files: new Map([[path, '']]) };
    await expect(run('', { workspace })).rejects.toThrow(`cannot copy ${JSON.stringify(path)} for helm: it `);
  });
});

describe('the environment of a program', () => {
  const environment = { SECRET: 's', HELM_NAMESPACE: 'x', KUBECONFIG: '/k', HTTPS_PROXY: 'p', PATH: `.:${place}::bin` };
  const script = 'console.log(JSON.stringify(process.env))';

  async function environmentOf(call: Partial<ProgramCall>, options: Partial<ProgramRunnerOptions> = {}) {
    const tools = fakeTools(script);
    const { stdout } = await run(script, call, { ...options, environment: { ...environment, KUREL_TOOLS: tools } });
    return JSON.parse(stdout) as Record<string, string>;
  }

  it('contains no variables of the user', async () => {
    const seen = await environmentOf({ environment: { EXTRA: 'e' } });
    expect(seen).not.toHaveProperty('SECRET');
    expect(seen).not.toHaveProperty('HELM_NAMESPACE');
    expect(seen).not.toHaveProperty('PATH');
    expect(seen).toMatchObject({ EXTRA: 'e', HTTPS_PROXY: 'http://127.0.0.1:9' });
    expect(seen.KUBECONFIG).toBe(join(seen.HOME!, 'no-kubeconfig'));
  });

  it('contains proxies and the absolute parts of PATH with the network', async () => {
    expect(await environmentOf({ network: true })).toMatchObject({ HTTPS_PROXY: 'p', PATH: place });
  });

  it('contains everything with inheritEnvironment', async () => {
    expect(await environmentOf({}, { inheritEnvironment: true })).toMatchObject(environment);
  });
});

describe('the search', () => {
  it('prefers KUREL_TOOLS, then PATH, then the tools directories', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => fakeTools(`console.log('${name}')`));
    const at = async (environment: Record<string, string>) =>
      (await programRunner({ environment, toolsDirectories: [c!] }).run({ program: 'helm', args: [] })).stdout;
    expect(await at({ KUREL_TOOLS: a!, PATH: b! })).toBe('a\n');
    expect(await at({ PATH: `${place}:${b!}` })).toBe('b\n');
    expect(await at({})).toBe('c\n');
  });

  it('ignores relative directories and files that are not executable, and lists the searched directories', async () => {
    const tools = fakeTools('', 0o644);
    const nearby = relative(process.cwd(), fakeTools(''));
    const runner = programRunner({ environment: { KUREL_TOOLS: nearby, PATH: `:${nearby}:${tools}` } });
    const error = await refusalOf(Promise.resolve(runner.run({ program: 'helm', args: [] })));
    expect(error.reason).toBe('not-found');
    expect(error.message).toBe('program "helm" is not installed or not on PATH');
    expect(error.hint).toMatch(new RegExp(`KUREL_TOOLS .*; searched ${tools}$`));
  });
});

describe('limits and failures', { tags: 'slow' }, () => {
  const forever = 'setInterval(() => {}, 1000);';

  it('stop a program and its children after the timeout, and remove its files', { tags: 'slow' }, async () => {
    const sign = join(place, 'child-lives');
    const script = `
      const { spawn } = require('node:child_process');
      require('node:fs').writeFileSync(${JSON.stringify(join(place, 'home'))}, process.env.HOME);
      const child = "setTimeout(() => require('node:fs').writeFileSync(process.argv[1], ''), 1200)";
      spawn(process.execPath, ['-e', child, ${JSON.stringify(sign)}], { stdio: 'inherit' });
      ${forever}`;
    const error = await refusalOf(run(script, {}, { timeoutMs: 600 }));
    expect([error.reason, error.message]).toEqual(['timeout', 'helm did not finish within 0.6 s and was stopped']);
    expect(existsSync(readFileSync(join(place, 'home'), 'utf8'))).toBe(false);
    await sleep(1000);
    expect(existsSync(sign)).toBe(false);
  });

  it('stop a program that prints too much', async () => {
    const error = await refusalOf(run(`for (;;) console.log('x'.repeat(1000));`, {}, { maxOutputBytes: 10_000 }));
    expect(error.reason).toBe('output-too-large');
  });

  it('include output that is not UTF-8', async () => {
    expect((await refusalOf(run('process.stdout.write(Buffer.from([0xff]))'))).reason).toBe('output-not-utf-8');
  });

  it('include a program that was killed', async () => {
    expect((await refusalOf(run(`process.kill(process.pid, 'SIGKILL')`))).message).toBe('helm was killed by SIGKILL');
  });

  it('include a program that cannot be started', async () => {
    const tools = fakeTools('');
    writeFileSync(join(tools, 'helm'), '#!/nowhere/interpreter\n');
    const runner = programRunner({ environment: { KUREL_TOOLS: tools } });
    expect((await refusalOf(Promise.resolve(runner.run({ program: 'helm', args: [] })))).reason).toBe(
      'failed-to-start',
    );
  });

  it.each<[string, Partial<ProgramCall>, Partial<ProgramRunnerOptions>]>([
    ['a working directory that is a file', {}, { workingDirectory: process.execPath }],
    ['an argument with a NUL character', { args: ['a\0b'] }, {}],
  ])('include a program that cannot be started because of %s', async (_, call, options) => {
    const error = await refusalOf(run('', call, options));
    expect([error.reason, error.message]).toEqual(['failed-to-start', expect.stringMatching(/^cannot start helm \(/)]);
  });

  it('include a missing temporary directory', async () => {
    vi.stubEnv('TMPDIR', join(place, 'nowhere'));
    try {
      const error = await refusalOf(run(''));
      expect(error.message).toBe(`helm cannot create a temporary directory in ${join(place, 'nowhere')}: not found`);
      expect(error.hint).toContain('TMPDIR');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each(['before', 'during'])('reject with the reason of an abort %s the call', async (when) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    if (when === 'before') controller.abort(reason);
    else setTimeout(() => controller.abort(reason), 100);
    await expect(run(forever, { signal: controller.signal })).rejects.toBe(reason);
  });
});
