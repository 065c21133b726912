import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createRenderContext, transformers } from '../src/engine/index.ts';
import { findBrokenMac } from '../src/kube/index.ts';
import { isKubeObject } from '../src/model/index.ts';
import type { Json, KubeObject } from '../src/model/index.ts';
import { readYaml, writeYaml } from '../src/yaml/index.ts';
import { openCase } from './golden-case.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';

// kurel writes what the real SOPS decrypts, and refuses exactly the changes after which it does not.

const data = join(import.meta.dirname, 'data', 'sops');

const context = createRenderContext();

const jqChanges = [
  '.',
  '.metadata.labels.team = "shop"',
  '.metadata.labels = {}',
  'del(.metadata.labels)',
  '.metadata.namespace = "prod"',
  '.metadata.name = "other"',
  '.type = "Other"',
  '.stringData.empty = "x"',
  'del(.stringData.empty)',
  '.stringData.added = "x"',
  '.stringData.added = ""',
  'del(.stringData.password)',
  '.stringData.password = "clear"',
  '.data.other = .data.token | del(.data.token)',
  '.data.token = .stringData.password',
  '.data.second = .data.token',
  '.immutable = true',
  '.metadata.creationTimestamp = null',
  '.stringData.nothing = null',
] as const;

describeWithProgram('sops', 'objects that SOPS has encrypted', (sops) => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-sops-'));
    openCase(join(import.meta.dirname, 'fixtures', 'sops')).copyTo(directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function decrypt(text: string): string | undefined {
    const file = join(directory, 'decrypted.yaml');
    writeFileSync(file, text);
    const env = { ...process.env, SOPS_AGE_KEY_FILE: join(data, 'key.txt') };
    try {
      return execFileSync(sops, ['decrypt', file], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return undefined;
    }
  }

  async function build(...words: readonly string[]): Promise<string> {
    return (await runProgram(['build', ...words], { workingDirectory: directory })).stdout;
  }

  it.each(['secret.yaml', 'mac-only.yaml', 'workload.yaml'])('%s is built as SOPS decrypts it', async (file) => {
    expect(decrypt(await build(file, '--no-validate'))).toContain('name: web');
  });

  it('keeps the MAC after a change that mac_only_encrypted allows', async () => {
    const decrypted = decrypt(await build('mac-only.yaml', '--namespace', 'prod', '--label', 'team=shop'));
    expect(decrypted).toContain('namespace: prod');
    expect(decrypted).toContain('password: correct horse');
  });

  it.each(['secret.yaml', 'mac-only.yaml'].flatMap((file) => jqChanges.map((change) => [file, change] as const)))(
    'agrees with SOPS about %s after %s',
    async (file, change) => {
      const before = objectIn(await build(file));
      const after = await transformers.jq(change)(before, context);
      const isBroken = findBrokenMac(before, after) !== undefined;
      expect(decrypt(writeYaml(after)) === undefined).toBe(isBroken);
    },
  );
});

function objectIn(text: string): KubeObject {
  const object: Json = readYaml({ path: 'object', text }).documents[0]?.data ?? null;
  if (!isKubeObject(object)) throw new Error('no object');
  return object;
}
