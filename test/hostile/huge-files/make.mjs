import { truncateSync } from 'node:fs';
import { join } from 'node:path';

import { application, manifest, openDirectory, parameters } from '../make-files.mjs';

export function make(directory) {
  const { put } = openDirectory(directory);
  // A file with nothing in it but its length.
  const grow = (path, text = '', mebibytes = 300) => {
    put(path, text);
    truncateSync(join(directory, path), mebibytes * 1024 * 1024);
  };
  grow('large.yaml', manifest);
  grow('large.kpatch');
  grow('stdin', manifest);
  put('web.yaml', manifest);
  for (let index = 0; index < 5; index += 1) grow(`many/${index}.yaml`, manifest);
  grow('large.kurel/parameters.yaml', parameters);
  put('large.kurel/resources/web.yaml', manifest);
  put('good.kurel/parameters.yaml', parameters);
  put('good.kurel/resources/web.yaml', manifest);
  grow('app/app.yaml', application);
  put('good/app.yaml', application);
  put('lock/app.yaml', application);
  grow('lock/kurel.lock');
  put('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
  grow('chart/templates/a.yaml', manifest);
  put('kustomization/kustomization.yaml', 'resources: [a.yaml]\n');
  // kustomize itself reads this one, several times over: with more, it runs into the limit of its memory only now and then.
  grow('kustomization/a.yaml', manifest, 100);
}
