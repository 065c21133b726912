import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const levels = 10_000;
const lists = '['.repeat(levels) + ']'.repeat(levels);
const mappings = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

export function make(directory, words) {
  const files = {
    'parameters.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
x: ${lists}
`,
    'parameters.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'path.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'path.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'path.kurel/patches/a.kpatch': `[deployment.web]
spec${'.a'.repeat(levels)}: 1
`,
    'path.kpatch': `[deployment.web]
spec${'.a'.repeat(levels)}: 1
`,
    'web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'index.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'index.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'index.kurel/patches/a.kpatch': `[deployment.web]
spec${'[0]'.repeat(levels)}: 1
`,
    'value.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'value.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'value.kurel/patches/a.kpatch': `[deployment.web]
spec.a: ${lists}
spec.b: ${mappings}
`,
    'value.kpatch': `[deployment.web]
spec.a: ${lists}
`,
    'yaml.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'yaml.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'yaml.kurel/patches/a.patch.yaml': `- target: deployment.web
  patch: ${mappings}
`,
    'json.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'json.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'json.kurel/patches/a.patch.yaml': `- target: deployment.web
  type: json
  patch:
  - {op: add, path: "${'/a'.repeat(levels)}", value: 1}
`,
    'target.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'target.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'target.kurel/patches/a.kpatch': `[deployment.web${'.a'.repeat(levels)}]
a: 1
`,
    'good.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
a: {}
`,
    'good.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'lists.yaml': `a: ${lists}
`,
    'mappings.yaml': `a: ${mappings}
`,
    'overrides.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'overrides.kurel/resources/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
    'overrides.kurel/schemas/parameters.overrides.yaml': `properties: ${mappings}
`,
    'resources.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'resources.kurel/resources/web.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data: ${mappings}
`,
    'directories.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
`,
    'directories.kurel/resources/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
`,
  };
  for (const [path, text] of Object.entries(files)) {
    if (!words.some((word) => path.startsWith(word))) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
