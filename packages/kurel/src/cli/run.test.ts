import { describe, expect, it } from 'vitest';

import { runProgram } from '../../test/run-program.ts';

it('prints its version and succeeds', async () => {
  const { exitCode, stdout } = await runProgram(['version']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^kurel \d+\.\d+\.\d+\S* \(node v\d+\.\d+\.\d+, \w+-\w+\)\n$/);
});

describe('a defect of kurel', () => {
  const readStdin = (): never => {
    throw new RangeError('a secret', { cause: new TypeError('hunter2') });
  };
  const message = `error[internal-error]: internal error (TypeError): this is a bug in kurel
   = hint: report it with the command and its input; KURE_DEBUG=1 prints a stack trace
`;

  it('is one message, without what the error says', async () => {
    expect(await runProgram(['build', '-'], { readStdin })).toEqual({ exitCode: 1, stdout: '', stderr: message });
  });

  it('shows its stack to those who look for it', async () => {
    const { exitCode, stderr } = await runProgram(['build', '-'], { readStdin, variables: { KURE_DEBUG: '1' } });
    expect(exitCode).toBe(1);
    expect(stderr.startsWith(`${message}RangeError: a secret\n    at `)).toBe(true);
  });

  it('does not happen where standard input is not asked for', async () => {
    const { exitCode, stderr } = await runProgram(['build', 'gone.yaml'], { readStdin });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('gone.yaml') as string });
    expect(stderr).not.toContain('internal-error');
  });

  it.each([
    [undefined, 'undefined'],
    ['text', 'string'],
    [{ then: 1 }, 'object'],
  ])('may throw %j', async (thrown, name) => {
    const throwing = (): never => {
      throw thrown; // oxlint-disable-line no-throw-literal -- nothing keeps code from it
    };
    const { stderr } = await runProgram(['build', '-'], { readStdin: throwing });
    expect(stderr).toContain(`(${name})`);
  });
});

it.each([
  [['login', 'registry.example.com', '-u', 'ann', '--password-stdin'], 65_536],
  [['fmt', '-', '--max-file-size', '1Ki'], 1024],
  [['fmt', '-'], undefined],
] as const)('%j reads so many bytes of standard input', async (words, most) => {
  const limits: (number | undefined)[] = [];
  const readStdin = async (maxBytes?: number): Promise<string> => {
    limits.push(maxBytes);
    return '';
  };
  await runProgram(words, { readStdin });
  expect(limits).toEqual([most]);
});
