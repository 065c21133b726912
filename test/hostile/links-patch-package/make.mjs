import { manifest, openDirectory, parameters } from '../make-files.mjs';

export function make(directory) {
  const { put, link } = openDirectory(directory);
  put('outside/secret.yaml', manifest);
  put('outside/a.kpatch', '[configmap.web]\ndata.a: b\n');
  put('outside/values.yaml', 'a: 1\n');
  for (const name of [
    'resources',
    'directory',
    'patch',
    'sidecar',
    'schema',
    'crds',
    'loop',
    'mesh',
    'device',
    'inside',
    'local',
    'good',
  ]) {
    put(`${name}.kurel/parameters.yaml`, parameters);
    put(`${name}.kurel/resources/web.yaml`, manifest);
  }
  link('resources.kurel/resources/out.yaml', '../../outside/secret.yaml');
  link('directory.kurel/resources/out', '../../outside');
  link('parameters.kurel/parameters.yaml', '../outside/values.yaml');
  link('patch.kurel/patches/a.kpatch', '../../outside/a.kpatch');
  put('sidecar.kurel/patches/a.kpatch', '[configmap.web]\ndata.a: b\n');
  link('sidecar.kurel/patches/a.yaml', '../../outside/values.yaml');
  link('schema.kurel/schemas/parameters.overrides.yaml', '../../outside/values.yaml');
  link('crds.kurel/schemas/crds', '../../outside');
  link('loop.kurel/resources/self', '.');
  for (let from = 0; from < 8; from += 1) {
    put(`mesh.kurel/resources/${from}/a.yaml`, manifest.replace('web', `web-${from}`));
    for (let to = 0; to < 8; to += 1) if (to !== from) link(`mesh.kurel/resources/${from}/${to}`, `../${to}`);
  }
  link('device.kurel/resources/zero.yaml', '/dev/zero');
  link('inside.kurel/resources/again.yaml', '../files/other.yaml');
  put('inside.kurel/files/other.yaml', manifest.replace('web', 'other'));
  link('local.local.kurel', 'outside-local');
  put('outside-local/parameters.yaml', 'a: 1\n');
  link('linked-local', 'outside-local');
  link('link.yaml', 'outside/values.yaml');
  link('link.kpatch', 'outside/a.kpatch');
  link('linked.kurel', 'good.kurel');
}
