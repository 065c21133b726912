import { application, putFiles } from '../make-files.mjs';

const levels = 10_000;
const lists = '['.repeat(levels) + ']'.repeat(levels);
const objects = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

const webservice = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shops}
spec:
  components:
  - name: web
    type: webservice
    properties:
      image: x:1
`;

export function make(directory, words) {
  const files = {
    'properties/app.yaml': `${webservice}      env: ${lists}

`,
    'inline/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shops}
spec:
  components:
  - name: web
    type: manifests
    properties:
      inline:
      - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: ${objects}}
`,
    'passthrough/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shops}
spec:
  components:
  - name: web
    type: passthrough
    properties: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: ${objects}}
`,
    'default/app.yaml': application,
    'default/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Package
metadata: {name: shop, version: "1.0.0"}
spec:
  parameters:
  - {name: a, type: array, default: ${lists}}
`,
    'items/app.yaml': application,
    'items/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Package
metadata: {name: shop, version: "1.0.0"}
spec:
  parameters:
  - {name: a, type: array, items: ${'{type: array, items: '.repeat(levels)}{type: string}${'}'.repeat(levels)}}
`,
    'good/app.yaml': application,
    'profile.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: ClusterProfile
metadata: {name: prod}
spec:
  capabilities:
    expose: {rendering: ${objects}}
`,
    'policy.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Policy
metadata: {name: company}
spec:
  enforced: ${objects}
`,
    'values/app.yaml': application,
    'values/kurel.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Package
metadata: {name: shop, version: "1.0.0"}
spec:
  parameters:
  - {name: a, type: array, default: []}
`,
    'values.yaml': `a: ${lists}
`,
    'lock/app.yaml': application,
    'lock/kurel.lock': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Lock
spec: {sources: ${lists}}
`,
    'patches/app.yaml': application,
    'patches/patches/a.kpatch': `[deployment.web]
spec${'.a'.repeat(levels)}: 1
spec.b: ${lists}
`,
    'definitions/app.yaml': application,
    'definitions/definitions/a.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: CapabilityDefinition
metadata: {name: a}
spec: ${objects}
`,
    'nested/app.yaml': `${webservice}      securityContext: ${objects}

`,
    'labels/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shops, labels: ${objects}}
spec:
  components:
  - name: web
    type: webservice
    properties:
      image: "registry.example.com/web:1"
`,
  };
  const named = Object.entries(files).filter(([path]) => words.some((word) => path.startsWith(word)));
  putFiles(directory, Object.fromEntries(named));
}
