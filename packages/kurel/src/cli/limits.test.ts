import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runProgram } from '../../test/run-program.ts';
import { readLimits } from './limits.ts';
import { settingsOf } from './setting-flags.ts';

const mebibyte = 1024 * 1024;

describe('limits of the command line', () => {
  it.each([
    ['bytes', { 'max-file-size': '100' }, { maxFileBytes: 100 }],
    ['kibibytes', { 'max-file-size': '4Ki' }, { maxFileBytes: 4096 }],
    ['mebibytes', { 'max-package-size': '80Mi' }, { package: { maxSize: 80 * mebibyte } }],
    ['the most', { 'max-file-size': '256Mi' }, { maxFileBytes: 256 * mebibyte }],
    ['seconds', { timeout: '90' }, { timeoutMs: 90_000 }],
    ['counts', { 'max-objects': '7', 'max-jq-steps': '1000' }, { maxObjects: 7, maxJqSteps: 1000 }],
    [
      'counts of packages',
      { 'max-resources': '7', 'max-patches': '8' },
      { package: { maxResources: 7, maxPatches: 8 } },
    ],
  ])('reads %s', (_, flags, limits) => {
    expect(readLimits(settingsOf(flags))).toMatchObject(limits);
  });

  it.each([
    { 'max-file-size': '257Mi' },
    { 'max-file-size': '1Gi' },
    { 'max-file-size': '4MB' },
    { 'max-file-size': '0' },
    { 'max-file-size': '-1' },
    { 'max-file-size': '' },
    { 'max-package-size': '513Mi' },
    { timeout: '0' },
    { timeout: '1.5' },
    { timeout: '86401' },
    { 'max-objects': '1e3' },
    { 'max-objects': '99999999999999999999' },
    { 'max-jq-steps': 'Infinity' },
  ])('refuses %o', (flags) => {
    const [[name, value]] = Object.entries(flags) as [[string, string]];
    expect(() => readLimits(settingsOf(flags))).toThrow(
      new RegExp(`^--${name} must be .*, got ${JSON.stringify(value)}$`),
    );
  });

  it.runIf(process.platform !== 'win32')('ends programs in time', { tags: 'slow' }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kurel-slow-'));
    try {
      mkdirSync(join(directory, 'chart'));
      writeFileSync(join(directory, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
      writeFileSync(join(directory, 'helm'), '#!/bin/sh\nsleep 600\n');
      chmodSync(join(directory, 'helm'), 0o755);
      const variables = { PATH: process.env['PATH'], KUREL_TOOLS: directory };
      const words = ['build', 'chart', '--timeout', '1'];
      const { exitCode, stderr } = await runProgram(words, { workingDirectory: directory, variables });
      expect(stderr).toContain('helm did not finish within 1 s and was stopped');
      expect(exitCode).toBe(1);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
