import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolFile } from './render-case.ts';
import { freePort, waitFor } from './wait-for-server.ts';

export interface Registry {
  /** `127.0.0.1:41234` */
  readonly host: string;
  readonly stop: () => Promise<void>;
}

/** A real OCI registry on this machine, which keeps what it is given below a directory. `auth` is a section of its configuration. */
export async function startRegistry(directory: string, { auth }: { readonly auth?: object } = {}): Promise<Registry> {
  const host = `127.0.0.1:${await freePort()}`;
  const storage = join(directory, 'storage');
  mkdirSync(storage, { recursive: true });
  const config = join(directory, 'registry.yaml');
  writeFileSync(
    config,
    `version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nstorage: {filesystem: {rootdirectory: ${storage}}}\nhttp: {addr: "${host}"}\n${auth === undefined ? '' : `auth: ${JSON.stringify(auth)}\n`}`,
  );
  const child = spawn(toolFile('registry'), ['serve', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], OTEL_TRACES_EXPORTER: 'none' },
  });
  let parsed = '';
  child.stderr.on('data', (data: Buffer) => (parsed += data.toString()));
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
  });
  await waitFor(`http://${host}/`, () => (child.exitCode === null ? undefined : parsed));
  return {
    host,
    stop: async () => {
      child.kill();
      await gone;
    },
  };
}
