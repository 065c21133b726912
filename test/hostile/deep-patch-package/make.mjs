import { deployment, parameters, putFiles } from '../make-files.mjs';

const levels = 10_000;
const lists = '['.repeat(levels) + ']'.repeat(levels);
const objects = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

export function make(directory, words) {
  const files = {
    'parameters.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
x: ${lists}
`,
    'parameters.kurel/resources/web.yaml': deployment,
    'path.kurel/parameters.yaml': parameters,
    'path.kurel/resources/web.yaml': deployment,
    'path.kurel/patches/a.kpatch': `[deployment.web]
spec${'.a'.repeat(levels)}: 1
`,
    'path.kpatch': `[deployment.web]
spec${'.a'.repeat(levels)}: 1
`,
    'web.yaml': deployment,
    'index.kurel/parameters.yaml': parameters,
    'index.kurel/resources/web.yaml': deployment,
    'index.kurel/patches/a.kpatch': `[deployment.web]
spec${'[0]'.repeat(levels)}: 1
`,
    'value.kurel/parameters.yaml': parameters,
    'value.kurel/resources/web.yaml': deployment,
    'value.kurel/patches/a.kpatch': `[deployment.web]
spec.a: ${lists}
spec.b: ${objects}
`,
    'value.kpatch': `[deployment.web]
spec.a: ${lists}
`,
    'yaml.kurel/parameters.yaml': parameters,
    'yaml.kurel/resources/web.yaml': deployment,
    'yaml.kurel/patches/a.patch.yaml': `- target: deployment.web
  patch: ${objects}
`,
    'json.kurel/parameters.yaml': parameters,
    'json.kurel/resources/web.yaml': deployment,
    'json.kurel/patches/a.patch.yaml': `- target: deployment.web
  type: json
  patch:
  - {op: add, path: "${'/a'.repeat(levels)}", value: 1}
`,
    'target.kurel/parameters.yaml': parameters,
    'target.kurel/resources/web.yaml': deployment,
    'target.kurel/patches/a.kpatch': `[deployment.web${'.a'.repeat(levels)}]
a: 1
`,
    'good.kurel/parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1.0"}
a: {}
`,
    'good.kurel/resources/web.yaml': deployment,
    'lists.yaml': `a: ${lists}
`,
    'objects.yaml': `a: ${objects}
`,
    'overrides.kurel/parameters.yaml': parameters,
    'overrides.kurel/resources/web.yaml': deployment,
    'overrides.kurel/schemas/parameters.overrides.yaml': `properties: ${objects}
`,
    'resources.kurel/parameters.yaml': parameters,
    'resources.kurel/resources/web.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data: ${objects}
`,
    'directories.kurel/parameters.yaml': parameters,
    'directories.kurel/resources/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/web.yaml':
      deployment,
  };
  const named = Object.entries(files).filter(([path]) => words.some((word) => path.startsWith(word)));
  putFiles(directory, Object.fromEntries(named));
}
