import { application, manifest, parameters, putFiles } from '../make-files.mjs';

/** Directories inside one another: more than are read, and as many. */
export function make(directory) {
  const chart = 'apiVersion: v2\nname: chart\nversion: 1.0.0\n';
  const deep = (count) => 'd/'.repeat(count);
  putFiles(directory, {
    [`manifests/${deep(150)}a.yaml`]: manifest,
    [`allowed/${deep(100)}a.yaml`]: manifest,
    [`one-more/${deep(101)}a.yaml`]: manifest,
    'resources.kurel/parameters.yaml': parameters,
    [`resources.kurel/resources/${deep(150)}a.yaml`]: manifest,
    'patches.kurel/parameters.yaml': parameters,
    'patches.kurel/resources/a.yaml': manifest,
    [`patches.kurel/patches/${deep(150)}a.kpatch`]: '[configmap.web]\ndata.a: b\n',
    'application/app.yaml': application,
    [`application/patches/${deep(150)}a.kpatch`]: '[deployment.web]\nreplicas: 2\n',
    'chart/Chart.yaml': chart,
    'chart/templates/a.yaml': manifest,
    [`chart/files/${deep(150)}a`]: '',
    [`kpatch/${deep(150)}a.kpatch`]: '[configmap.web]\ndata.a: b\n',
  });
}
