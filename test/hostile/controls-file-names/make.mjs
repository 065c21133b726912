import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const escape = String.fromCodePoint(0x1b);
const odd = `a${escape}[31m\nb${String.fromCodePoint(0x202e)}${String.fromCodePoint(0x9b)}`;

export function make(directory) {
  const files = {
    [`manifests/${odd}.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n',
    [`manifests/${odd}/broken.yaml`]: 'a: [\n',
    [`shop.kurel/resources/${odd}.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n',
    [`shop.kurel/patches/${odd}.kpatch`]: '[configmap.web]\ndata.a: b\n',
    [`shop.kurel/patches/${odd}.yaml`]: 'enabled: true\nunknown: 1\n',
    'shop.kurel/parameters.yaml': 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\n',
    [`app/patches/${odd}.kpatch`]: '[deployment.none]\nreplicas: 1\n',
    'app/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shops}
spec:
  components:
  - name: web
    type: webservice
    properties:
      image: "registry.example.com/web:1"
`,
    [`patches/${odd}.kpatch`]: '[configmap.web]\ndata.a:   b\n',
    [`crds/${odd}.yaml`]: 'a: [\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
