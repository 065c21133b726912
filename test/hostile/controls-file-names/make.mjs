import { application, manifest, parameters, putFiles } from '../make-files.mjs';

const escape = String.fromCodePoint(0x1b);
const odd = `a${escape}[31m\nb${String.fromCodePoint(0x202e)}${String.fromCodePoint(0x9b)}`;

export function make(directory) {
  const files = {
    [`manifests/${odd}.yaml`]: manifest,
    [`manifests/${odd}/broken.yaml`]: 'a: [\n',
    [`shop.kurel/resources/${odd}.yaml`]: manifest,
    [`shop.kurel/patches/${odd}.kpatch`]: '[configmap.web]\ndata.a: b\n',
    [`shop.kurel/patches/${odd}.yaml`]: 'enabled: true\nunknown: 1\n',
    'shop.kurel/parameters.yaml': parameters,
    [`app/patches/${odd}.kpatch`]: '[deployment.none]\nreplicas: 1\n',
    'app/app.yaml': application,
    [`patches/${odd}.kpatch`]: '[configmap.web]\ndata.a:   b\n',
    [`crds/${odd}.yaml`]: 'a: [\n',
  };
  putFiles(directory, files);
}
