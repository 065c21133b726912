import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeApplication } from './write-application.mjs';
import { writeChart } from './write-chart.mjs';
import { writeTree } from './write-tree.mjs';

/** One web service, four objects, in each form that can be built. */
export function writeSmall({ out, kurel }) {
  const directory = join(out, 'small');
  const { application, profile, gatewayProfile } = writeApplication(directory, 1);
  const app = join(application, 'app.yaml');
  writeFileSync(app, readFileSync(app, 'utf8').replace('replicas: 1', 'replicas: ${replicas}'));
  writeFileSync(join(application, 'kurel.yaml'), parameters);

  const objects = join(directory, 'objects');
  execFileSync(process.execPath, [kurel, 'build', application, '--profile', profile, '--output', objects], {
    stdio: 'ignore',
  });
  const files = Object.fromEntries(
    readdirSync(objects)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => [name, readFileSync(join(objects, name), 'utf8')]),
  );
  const manifests = join(directory, 'manifests');
  writeTree(manifests, files);
  const patchPackage = join(directory, 'package.kurel');
  writeTree(patchPackage, { ...below('resources', files), ...patches });
  const kustomization = join(directory, 'kustomization');
  const resources = `resources:\n${Object.keys(files)
    .map((name) => `- ${name}\n`)
    .join('')}`;
  writeTree(kustomization, { ...below('plain', { ...files, 'kustomization.yaml': resources }), ...overlay });
  const labelled = join(directory, 'labelled');
  const [first] = Object.keys(files);
  writeTree(labelled, { [first]: files[first], 'kustomization.yaml': `resources:\n- ${first}\n${commonLabel}` });
  return {
    application,
    profile,
    gatewayProfile,
    manifests,
    manifest: join(labelled, first),
    labelled,
    package: patchPackage,
    kustomization,
    ...writeChart(directory, 1),
  };
}

function below(folder, files) {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

const commonLabel = `labels:
- pairs:
    bench: "1"
`;

const parameters = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Package
metadata:
  name: bench
  version: 1.0.0
spec:
  parameters:
  - name: replicas
    type: integer
    default: 3
    minimum: 1
`;

const patches = {
  'parameters.yaml': `kurel:
  name: bench
  version: 1.0.0
  appVersion: 1.1.0
global:
  labels:
    bench: "1"
replicas: 5
image: registry.example.com/team-0/web-0:\${kurel.appVersion}
`,
  'patches/00-first.kpatch': `metadata.labels: "\${global.labels}"

[deployment.web-0]
replicas: \${replicas}

[deployment.web-0.containers.name=web-0]
image: \${image}
`,
};

/** The same changes as those of the patch package. */
const overlay = {
  'kustomization.yaml': `resources:
- plain
${commonLabel}replicas:
- name: web-0
  count: 5
images:
- name: registry.example.com/team-0/web-0
  newTag: 1.1.0
`,
};
