import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { toolFile } from './render-case.ts';

/** The real cosign, in a directory with a key pair, without any of Sigstore's services. */
export interface Cosign {
  readonly directory: string;
  readonly password: string;
  readonly run: (...words: readonly string[]) => string;
  /** As cosign 3 does it, and as cosign 2 did. */
  readonly sign: (reference: string, form: 'bundle' | 'tag') => void;
  readonly attest: (reference: string, type: string, predicate: object) => void;
  /** Throws unless cosign accepts the signature in the given form. */
  readonly verify: (reference: string, form: 'bundle' | 'tag', key?: string) => string;
  readonly verifyAttestation: (reference: string, type: string) => string;
}

export function openCosign(directory: string): Cosign {
  mkdirSync(directory, { recursive: true });
  const password = 'not a secret: only tests use this key';
  const env = { PATH: process.env['PATH'], HOME: directory, COSIGN_PASSWORD: password };
  const run = (...words: readonly string[]): string =>
    execFileSync(toolFile('cosign'), words, { cwd: directory, env, encoding: 'utf8', stdio: 'pipe' });
  run('generate-key-pair');
  writeFileSync(join(directory, 'signing.json'), run('signing-config', 'create'));
  const registry = '--allow-http-registry';
  const offline = ['--insecure-ignore-tlog', registry];
  const old = '--new-bundle-format=false';
  return {
    directory,
    password,
    run,
    sign(reference, form) {
      const services =
        form === 'bundle'
          ? ['--signing-config', 'signing.json']
          : ['--use-signing-config=false', '--tlog-upload=false', old];
      run('sign', '--yes', '--key', 'cosign.key', registry, ...services, reference);
    },
    attest(reference, type, predicate) {
      writeFileSync(join(directory, 'predicate.json'), JSON.stringify(predicate));
      const words = ['--signing-config', 'signing.json', '--type', type, '--predicate', 'predicate.json'];
      run('attest', '--yes', '--key', 'cosign.key', registry, ...words, reference);
    },
    verify: (reference, form, key = 'cosign.pub') =>
      run('verify', '--key', key, ...offline, ...(form === 'tag' ? [old] : []), reference),
    verifyAttestation: (reference, type) =>
      run('verify-attestation', '--key', 'cosign.pub', '--type', type, ...offline, reference),
  };
}
