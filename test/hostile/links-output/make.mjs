import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n';
const parameters = 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\n';
const application =
  'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: shops}\nspec:\n  components:\n  - name: web\n    type: webservice\n    properties:\n      image: "registry.example.com/web:1"\n';

export function make(directory) {
  const put = (path, text) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  const link = (path, target) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    symlinkSync(target, join(directory, path));
  };
  put('a.yaml', manifest);
  put('victim/configmap-web.yaml', 'keep: me\n');
  put('victim.yaml', 'keep: me\n');
  link('linked', 'victim');
  link('linked.yaml', 'victim.yaml');
  link('linked.json', 'victim.yaml');
  link('inside/configmap-web.yaml', '../victim.yaml');
  link('below', 'victim');
  execFileSync('mkfifo', [join(directory, 'pipe.yaml')]);
  mkdirSync(join(directory, 'with-pipe'));
  execFileSync('mkfifo', [join(directory, 'with-pipe', 'configmap-web.yaml')]);
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
