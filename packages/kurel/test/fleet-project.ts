import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { openCase } from './golden-case.ts';
import { repository } from './source-tree.ts';

const fixtures = join(repository, 'packages', 'kurel', 'test', 'fixtures');

const clusters = ['c0', 'c1', 'c2', 'c3', 'c4'] as const;

/** Values in the fleet file, by application. */
export const inlineValues: Readonly<Record<string, string>> = {
  web: 'replicas: 3\n',
  hello: 'replicas: 3\n',
  chart: 'replicas: 3\n',
};

export interface FleetProject {
  readonly directory: string;
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
}

/** A fleet of all forms: an application, a patch package, manifests as a directory and as a file, a kustomization and a chart. */
export function createFleetProject(directory: string): FleetProject {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  openCase(join(fixtures, 'fleet')).copyTo(directory);
  cpSync(join(repository, 'examples', 'packages', 'hello.kurel'), join(directory, 'apps', 'hello.kurel'), {
    recursive: true,
  });
  cpSync(join(repository, 'examples', 'chart'), join(directory, 'apps', 'chart'), { recursive: true });
  cpSync(join(repository, 'examples', 'kustomize'), join(directory, 'apps', 'kustomize'), { recursive: true });
  const profile = readFileSync(join(directory, 'clusters', 'berlin', 'profile.yaml'), 'utf8');
  for (const name of clusters) {
    write(`clusters/${name}/profile.yaml`, profile.replace('berlin', name));
    write(`clusters/${name}/values.yaml`, `domain: ${name}.example.com\n`);
  }
  write('apps/file.yaml', deployment);
  write('kurel.fleet.yaml', fleet);
  for (const [name, text] of Object.entries(inlineValues)) write(`inline/${name}.yaml`, text);
  return { directory, write, read: (path) => readFileSync(join(directory, path), 'utf8') };
}

// Causes a warning: the ConfigMap is not part of the build.
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: file, namespace: file}
spec:
  selector: {matchLabels: {app: file}}
  template:
    metadata: {labels: {app: file}}
    spec:
      containers:
        - name: file
          image: registry.example.com/shop/file:1.0.0
          envFrom: [{configMapRef: {name: settings}}]
`;

const fleet = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {output: "rendered/{cluster}/{app}"}
  groups:
    scaled:
      set: {replicas: 3}
  clusters: {${clusters.map((name) => `${name}: {}`).join(', ')}}
  applications:
    web: {package: apps/web, policy: policy.yaml, extends: [scaled]}
    hello: {package: apps/hello.kurel, extends: [scaled], layout: flux, flux: {source: GitRepository/fleet}}
    api: {package: apps/api, namespace: "{cluster}"}
    file: {package: apps/file.yaml, layout: by-kind}
    chart: {package: apps/chart, extends: [scaled]}
    kustomize: {package: apps/kustomize/overlays/production, contentHash: true}
  matrix:
    - applications: [web]
      profile: clusters/{cluster}/profile.yaml
      values: ["clusters/{cluster}/values.yaml"]
    - applications: [hello, api, file]
    - applications: [chart, kustomize]
      clusters: [c0, c3]
`;

/** Every file below a directory with its text. */
export function readFiles(directory: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(directory.length + 1)] = readFileSync(path, 'utf8');
  }
  return files;
}
