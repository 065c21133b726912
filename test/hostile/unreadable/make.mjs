import { chmodSync } from 'node:fs';
import { join } from 'node:path';

import { application, manifest, openDirectory, parameters } from '../make-files.mjs';

export function make(directory) {
  const { put } = openDirectory(directory);
  const close = (path, mode = 0o000) => chmodSync(join(directory, path), mode);
  put('manifests/a.yaml', manifest);
  put('manifests/b.yaml', manifest.replace('web', 'other'));
  close('manifests/a.yaml');
  put('closed/a.yaml', manifest);
  close('closed');
  put('directory/below/a.yaml', manifest);
  close('directory/below');
  for (const name of ['resources', 'parameters', 'patches']) {
    put(`${name}.kurel/parameters.yaml`, parameters);
    put(`${name}.kurel/resources/a.yaml`, manifest);
    put(`${name}.kurel/patches/a.kpatch`, '[configmap.web]\ndata.a: b\n');
  }
  close('resources.kurel/resources/a.yaml');
  close('parameters.kurel/parameters.yaml');
  close('patches.kurel/patches');
  put('app/app.yaml', application);
  close('app/app.yaml');
  put('good/app.yaml', application);
  put('read-only/a', '');
  close('read-only', 0o555);
  put('patch.kpatch', '[configmap.web]\ndata.a:    b\n');
  close('patch.kpatch', 0o444);
  put('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
  put('chart/templates/a.yaml', manifest);
  close('chart/templates/a.yaml');
  put('kustomization/kustomization.yaml', 'resources: [a.yaml]\n');
  put('kustomization/a.yaml', manifest);
  close('kustomization/a.yaml');
}
