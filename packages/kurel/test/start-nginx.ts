import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort, waitFor } from './wait-for-server.ts';

export interface Nginx {
  /** Without a slash at the end. */
  readonly url: string;
  /** Where it keeps what it is given. */
  readonly root: string;
  readonly stop: () => Promise<void>;
}

const webDav = ['dav_methods PUT;', 'create_full_put_path on;', 'client_max_body_size 64m;'];

interface NginxOptions {
  /** The program. */
  readonly file: string;
  /** For its files. */
  readonly directory: string;
  /** Of the location that it serves; defaults to WebDAV. */
  readonly settings?: readonly string[] | undefined;
}

/** Also for the benchmarks, so it imports nothing of the tests. */
export async function startNginx({ file, directory, settings = webDav }: NginxOptions): Promise<Nginx> {
  const port = await freePort();
  const root = join(directory, 'root');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'index.html'), 'ready\n');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(directory, name)};`,
  );
  const config = join(directory, 'nginx.conf');
  const lines = [
    'daemon off;',
    'worker_processes 1;',
    `pid ${join(directory, 'pid')};`,
    'error_log stderr crit;',
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'events {}',
    'http {',
    '  access_log off;',
    ...temporary,
    '  server {',
    `    listen 127.0.0.1:${port};`,
    `    root ${root};`,
    '    location = /index.html {}',
    '    location / {',
    ...settings.map((line) => `      ${line}`),
    '    }',
    '  }',
    '}',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const child = spawn(file, ['-e', 'stderr', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (data: Buffer) => void (printed += data.toString()));
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(`${url}/index.html`, () => (child.exitCode === null ? undefined : printed));
  return {
    url,
    root,
    stop: async () => {
      child.kill();
      await gone;
    },
  };
}
