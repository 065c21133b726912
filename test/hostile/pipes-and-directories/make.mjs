import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { application, manifest, openDirectory, parameters } from '../make-files.mjs';

export function make(directory) {
  const { put, link, pipe } = openDirectory(directory);
  const folder = (path) => mkdirSync(join(directory, path), { recursive: true });
  put('manifests/a.yaml', manifest);
  pipe('manifests/b.yaml');
  folder('manifests/c.yaml');
  pipe('pipe.yaml');
  put('directory.yaml/a.yaml', manifest);
  folder('empty-directory.yaml');
  put('resources.kurel/parameters.yaml', parameters);
  pipe('resources.kurel/resources/a.yaml');
  folder('parameters.kurel/parameters.yaml');
  put('parameters.kurel/resources/a.yaml', manifest);
  for (const name of ['patches', 'patches-file']) {
    put(`${name}.kurel/parameters.yaml`, parameters);
    put(`${name}.kurel/resources/a.yaml`, manifest);
  }
  folder('patches.kurel/patches/a.kpatch');
  pipe('patches.kurel/patches/b.kpatch');
  put('patches-file.kurel/patches', 'a file');
  put('resources-file.kurel/parameters.yaml', parameters);
  put('resources-file.kurel/resources', 'a file');
  folder('app/app.yaml');
  pipe('package/kurel.yaml');
  put('package/app.yaml', application);
  put('app-patches/app.yaml', application);
  pipe('app-patches/patches/a.kpatch');
  put('lock/app.yaml', application);
  folder('lock/kurel.lock');
  put('good/app.yaml', application);
  pipe('pipe-directory/a.kpatch');
  put('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
  pipe('chart/templates/a.yaml');
  put('kustomization/kustomization.yaml', 'resources: [a.yaml]\n');
  pipe('kustomization/a.yaml');
  link('socket.yaml', '/dev/tty');
  link('sockets/a.yaml', '/dev/stdin');
}
