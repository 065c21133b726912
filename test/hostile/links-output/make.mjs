import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { application, manifest, openDirectory, parameters } from '../make-files.mjs';

export function make(directory) {
  const { put, link, pipe } = openDirectory(directory);
  put('a.yaml', manifest);
  put('victim/configmap-web.yaml', 'keep: me\n');
  put('victim.yaml', 'keep: me\n');
  link('linked', 'victim');
  link('linked.yaml', 'victim.yaml');
  link('linked.json', 'victim.yaml');
  link('inside/configmap-web.yaml', '../victim.yaml');
  link('below', 'victim');
  pipe('pipe.yaml');
  pipe('with-pipe/configmap-web.yaml');
  mkdirSync(join(directory, 'directory.yaml'));
  put('file', 'keep: me\n');
  mkdirSync(join(directory, 'as-directory', 'configmap-web.yaml'), { recursive: true });
  link('inventory-link/.kurel-inventory', '../victim.yaml');
  link('loop', 'loop');
  put('shop.kurel/parameters.yaml', parameters);
  put('shop.kurel/resources/web.yaml', manifest);
  link('shop.kurel/schemas', '../victim');
  put('victim.kpatch', '[configmap.web]\ndata.a:    b\n');
  link('linked.kpatch', 'victim.kpatch');
  put('a.kpatch', '[configmap.web]\ndata.a: b\n');
  link('linked-base.yaml', 'a.yaml');
  put('app/app.yaml', application);
  link('app/vendor', '../victim');
}
