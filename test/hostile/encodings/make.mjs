import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { application, manifest } from '../make-files.mjs';

const encodings = {
  latin: (text) => Buffer.from(text, 'latin1'),
  'utf-16-le': (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
  'utf-16-be': (text) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]),
  overlong: (text) => Buffer.concat([Buffer.from(text), Buffer.from('# '), Buffer.from([0xc0, 0xaf])]),
  surrogate: (text) => Buffer.concat([Buffer.from(text), Buffer.from('# '), Buffer.from([0xed, 0xa0, 0x80])]),
  cut: (text) => Buffer.concat([Buffer.from(text), Buffer.from('# '), Buffer.from([0xe2, 0x82])]),
  nul: (text) => Buffer.from(`${text}# \u0000`),
};
const texts = {
  'web.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  name: café\n',
  'shop.kurel/parameters.yaml': 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\nname: café\n',
  'values.yaml': 'name: café\n',
  'a.kpatch': '[configmap.web]\ndata.name: café\n',
  'app/app.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: shops}\nspec:\n  components:\n  - name: web\n    type: webservice\n    properties:\n      image: "registry.example.com/web:1"\n# café\n',
  'kurel.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: shop, version: "1.0.0"}\nspec:\n  parameters:\n  - {name: name, type: string, default: café}\n',
  'profile.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: prod}\nspec:\n  capabilities:\n    expose: {rendering: {}} # café\n',
  'policy.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata: {name: company}\nspec:\n  enforced: {maxReplicas: 1} # café\n',
  lock: 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Lock\nspec: {sources: []} # café\n',
  'crd.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: café.example.com}\n',
};
const good = {
  'good.yaml': manifest,
  'good.kurel/parameters.yaml': 'kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}\nname: a\n',
  'good.kurel/resources/web.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  selector:\n    matchLabels: { app: web }\n  template:\n    metadata:\n      labels: { app: web }\n    spec:\n      containers:\n        - name: web\n          image: registry.example.com/web:1\n',
  'app/app.yaml': application,
};

export function make(directory) {
  const files = { ...good };
  for (const [name, encode] of Object.entries(encodings)) {
    for (const [path, text] of Object.entries(texts)) files[`${name}/${path}`] = encode(text);
    files[`${name}/shop.kurel/resources/web.yaml`] = good['good.kurel/resources/web.yaml'];
    files[`${name}/package/app.yaml`] = good['app/app.yaml'];
    files[`${name}/package/kurel.yaml`] = files[`${name}/kurel.yaml`];
    files[`${name}/lock/app.yaml`] = good['app/app.yaml'];
    files[`${name}/lock/kurel.lock`] = files[`${name}/lock`];
    delete files[`${name}/lock`];
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}
