// Acceptances that want to lift what they may not, and files with acceptances that are none.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { putFiles } from '../make-files.mjs';

const manifests = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  hostNetwork: true
  containers: [{name: web, image: "evil.example/web:1", foo: 1}]
`;
const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  interval: 1m
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`;
const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Acceptances\nspec:\n  accept:\n';
const accept = (...entries) => `${head}${entries.map((entry) => `  - {${entry}, reason: because}\n`).join('')}`;

const files = {
  'not-checked': accept('code: policy-not-checked'),
  'source-unknown': accept('code: policy-source-unknown, object: helmrelease/web'),
  'policy-error': accept('code: policy-security'),
  'policy-unidentified': accept('code: policy-unidentified'),
  'reading-error': accept('code: yaml-duplicate-key'),
  budget: accept('code: budget-exhausted'),
  'unused-itself': accept('code: acceptance-unused', 'code: field-type', 'code: field-unknown'),
  'any-code': accept('code: "*"'),
  'any-object': accept('code: field-unknown, object: "*"'),
  'any-name': accept('code: field-unknown, object: "pod/*"'),
  'any-kind': accept('code: field-unknown, object: "*/web"'),
  'blank-reason': `${head}  - {code: field-unknown, reason: "\\t "}\n`,
  'no-reason': `${head}  - {code: field-unknown}\n`,
  'number-reason': `${head}  - {code: field-unknown, reason: 1}\n`,
  several: `${accept('code: field-unknown')}---\n${accept('code: policy-security-unsaid')}`,
  twice: `${head}  - {code: field-unknown, reason: x, code: policy-security}\n`,
  proto: accept('code: __proto__', 'code: constructor'),
  'line-break': `${head}  - {code: field-unknown, reason: x} #\u2028  - {code: policy-security-unsaid, reason: y}\n`,
  list: '[]\n',
  empty: '',
  'other-kind': accept('code: field-unknown').replace('Acceptances', 'Policy'),
  commands: `${head}  - {code: field-unknown, reason: "x\\n::error::boom\\e[31m"}\n`,
  good: accept('code: field-unknown', 'code: policy-security-unsaid'),
};

export function make(directory) {
  for (const [name, text] of Object.entries(files)) {
    putFiles(directory, { [`${name}/web.yaml`]: manifests, [`${name}/kurel.accept.yaml`]: text });
  }
  for (const name of ['not-checked', 'source-unknown']) putFiles(directory, { [`${name}/web.yaml`]: release });
  putFiles(directory, {
    'release.yaml': release,
    'policy.yaml':
      'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec: {enforced: {allowedSources: [example.com]}}\n',
    'secrets/config': 'token: hunter2-in-a-file\nother: [\n',
    'secrets/crds/config.yaml': 'apiVersion: v1\nhunter2-in-a-file: : x\n',
    // Where nobody looks for acceptances.
    'below/web.yaml': manifests,
    'below/more/kurel.accept.yaml': files.good,
    'among/web.yaml': manifests,
    'among/accepted.yaml': files.good,
    'hidden/web.yaml': manifests,
    'hidden/.kurel.accept.yaml': files.good,
    'in-list.yaml': `${manifests}---\n${files.good}`,
    'directory/web.yaml': manifests,
    'pipe/web.yaml': manifests,
    'link/web.yaml': manifests,
    'definitions/web.yaml': manifests,
    'schemas/web.yaml': manifests,
    'beside.yaml': manifests,
    'shop/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop}
spec:
  components:
  - name: web
    type: manifests
    properties:
      inline: |
        apiVersion: launcher.gokure.dev/v1alpha1
        kind: Acceptances
        spec: {accept: [{code: field-unknown, reason: x}]}
`,
  });
  mkdirSync(join(directory, 'directory/kurel.accept.yaml'));
  execFileSync('mkfifo', [join(directory, 'pipe/kurel.accept.yaml')]);
  symlinkSync('../secrets/config', join(directory, 'link/kurel.accept.yaml'));
  symlinkSync(join(directory, 'secrets/config'), join(directory, 'beside.accept.yaml'));
  mkdirSync(join(directory, 'definitions/schemas'));
  symlinkSync('../../secrets/crds', join(directory, 'definitions/schemas/crds'));
  symlinkSync('../secrets', join(directory, 'schemas/schemas'));
  writeFileSync(join(directory, 'stdin'), manifests);
}
