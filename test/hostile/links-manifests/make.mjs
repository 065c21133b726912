import { manifest, openDirectory } from '../make-files.mjs';

export function make(directory) {
  const { put, link } = openDirectory(directory);
  put('outside/secret.yaml', manifest);
  put('in/a.yaml', manifest);
  link('in/b.yaml', 'a.yaml');
  link('out/a.yaml', '../outside/secret.yaml');
  link('out-directory/a', '../outside');
  link('loop/self.yaml', 'self.yaml');
  link('parent/self', '..');
  put('parent/a.yaml', manifest);
  link('device/zero.yaml', '/dev/zero');
  link('device/random.json', '/dev/urandom');
  link('broken/a.yaml', 'nothing.yaml');
  link('linked', 'in');
  link('alias.yaml', 'outside/secret.yaml');
  link('chain/a.yaml', 'b.yaml');
  link('chain/b.yaml', '../outside/../outside/secret.yaml');
  link('procs/a.yaml', '/proc/self/environ');
  // Every directory has a link to every other: by names there are endlessly many.
  for (let from = 0; from < 8; from += 1) {
    put(`mesh/${from}/a.yaml`, manifest.replace('web', `web-${from}`));
    for (let to = 0; to < 8; to += 1) if (to !== from) link(`mesh/${from}/${to}`, `../${to}`);
  }
}
