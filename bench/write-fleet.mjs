import { join } from 'node:path';

import { fleetTemplate } from './fleet-template.mjs';
import { writeTree } from './write-tree.mjs';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';

/** Each target gives a Deployment, a Service, a ServiceAccount, an Ingress, a ConfigMap and a HorizontalPodAutoscaler. */
export const objectsPerTarget = 6;

/** 100 applications on 100 clusters, or what `KUREL_BENCH_FLEET=10x10` says. */
export function readFleetSize(text = process.env['KUREL_BENCH_FLEET'] ?? '100x100') {
  const [, applications, clusters] = /^([1-9]\d*)x([1-9]\d*)$/.exec(text) ?? [];
  if (clusters === undefined) throw new Error(`KUREL_BENCH_FLEET must be like 100x100, got ${text}`);
  return { applications: Number(applications), clusters: Number(clusters) };
}

/**
 * A fleet file for a matrix of applications and clusters, and one chart that gives the same objects from the same values. One target also
 * has a values file of its own.
 */
export function writeFleet(directory, { applications, clusters }) {
  const apps = Array.from({ length: applications }, (_, index) => `app-${index}`);
  const places = Array.from({ length: clusters }, (_, index) => `cluster-${index}`);
  const pairs = places.flatMap((cluster) => apps.map((app) => ({ app, cluster })));
  writeTree(directory, {
    ...Object.fromEntries(apps.flatMap(writePackage)),
    ...Object.fromEntries(places.flatMap(writeCluster)),
    'single/values.yaml': writeSingle('info'),
    'kurel.fleet.yaml': writeFleetFile(apps, places),
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/values.yaml': 'level: info\n',
    'chart/templates/objects.yaml': fleetTemplate,
  });
  return { pairs, output: join(directory, 'rendered'), file: (path) => join(directory, path) };
}

/** Contents of files that the benchmark changes, each with a word that can differ. */
export const writeSingle = (level) => `level: ${level}\n`;
export const valuesOf = (replicas) => `image: registry.example.com/team/web:1.0.0\nreplicas: ${replicas}\n`;

export function profileOf(cluster, issuer) {
  return `${head}kind: ClusterProfile
metadata:
  name: ${cluster}
spec:
  capabilities:
    expose:
      rendering:
        controllerType: ingress
        ingressClassName: nginx
        certManagerClusterIssuer: ${issuer}
`;
}

function writeCluster(cluster) {
  return [
    [`clusters/${cluster}/profile.yaml`, profileOf(cluster, 'letsencrypt')],
    [`clusters/${cluster}/values.yaml`, `domain: ${cluster}.example.com\n`],
  ];
}

function writePackage(app) {
  return [
    [`apps/${app}/kurel.yaml`, writeDeclarations(app)],
    [`apps/${app}/app.yaml`, writeApplication(app)],
    [`apps/${app}/values.yaml`, valuesOf(2)],
  ];
}

function writeDeclarations(app) {
  return `${head}kind: Package
metadata:
  name: ${app}
  version: 1.0.0
spec:
  parameters:
  - name: image
    type: string
    required: true
  - name: domain
    type: string
    required: true
  - name: replicas
    type: integer
    default: 1
  - name: level
    type: string
    default: info
`;
}

function writeApplication(app) {
  return `${head}kind: Application
metadata:
  name: ${app}
  namespace: ${app}
spec:
  components:
  - name: web
    type: webservice
    properties:
      image: \${image}
      port: 8080
      env:
      - name: LOG_LEVEL
        value: \${level}
      probes:
        readiness:
          httpGet:
            path: /ready
            port: http
    traits:
    - type: expose
      properties:
        rules:
        - host: ${app}.\${domain}
    - type: configmap
      properties:
        name: settings
        data:
          app.conf: |
            level=\${level}
            domain=\${domain}
    - type: scaler
      properties:
        minReplicas: \${replicas}
        maxReplicas: 5
`;
}

function writeFleetFile(apps, clusters) {
  const list = (names, write) => names.map((name) => `    ${name}: { ${write(name)} }\n`).join('');
  return `${head}kind: Fleet
spec:
  defaults:
    output: rendered/{cluster}/{app}
    namespace: '{app}'
  clusters:
${list(clusters, (name) => `profile: clusters/${name}/profile.yaml, values: [clusters/${name}/values.yaml]`)}  applications:
${list(apps, (name) => `package: apps/${name}, values: [apps/${name}/values.yaml]`)}  matrix:
  - include:
    - application: ${apps[0]}
      cluster: ${clusters[0]}
      values: [single/values.yaml]
`;
}

/** Arguments of `helm template` for one target. */
export function helmArguments({ app, cluster }, file) {
  const values = [`apps/${app}/values.yaml`, `clusters/${cluster}/values.yaml`];
  return [app, file('chart'), '--namespace', app, ...values.flatMap((path) => ['--values', file(path)])];
}

/** A helmfile with these targets as releases. */
export function writeHelmfile(pairs) {
  const releases = pairs.map(
    ({ app, cluster }) => `- name: ${app}
  namespace: ${app}
  kubeContext: ${cluster}
  chart: ./chart
  values: [apps/${app}/values.yaml, clusters/${cluster}/values.yaml]
`,
  );
  return `releases:\n${releases.join('')}`;
}
