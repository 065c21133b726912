import { manifest, putFiles } from '../make-files.mjs';

// Each text is as long as one may be; a hundred of them are more than a package may become.
const long = 'x'.repeat(1_000_000);
const data = Array.from({ length: 100 }, (_, index) => `k${index}: "\${a}"`);

const files = {
  'resource.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\na: ${long}\n`,
  'resource.kurel/resources/web.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n${data.map((line) => `  ${line}\n`).join('')}`,
  'patch.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\na: ${long}\n`,
  'patch.kurel/resources/web.yaml': manifest,
  'patch.kurel/patches/a.kpatch': `[configmap.web]\n${data.map((line) => `data.${line}\n`).join('')}`,
  'app/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop, version: "1.0.0"}\nspec:\n  parameters:\n  - {name: a, type: string, default: ${long}}\n`,
  'app/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: shops}\nspec:\n  components:\n  - name: web\n    type: passthrough\n    properties:\n      object:\n        apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: web}\n        data:\n${data.map((line) => `          ${line}\n`).join('')}`,
};

export function make(directory) {
  putFiles(directory, files);
}
