import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { importSource } from '../scripts/import-source.mjs';
import { measureCall, measureInTurns } from './measure.mjs';

const version = '1.37';
const documentsInFile = 100;

/** Deployments checked by kurel, beside kubeconform with the same schemas on the same files. */
export async function measureValidate({ root, out, kurel }) {
  return [
    ...(await measureCold({ out, kurel })),
    ...(await measureThroughput({ root, out, kurel })),
    ...(await measureGrowth(root)),
  ];
}

async function measureCold({ out, kurel }) {
  const file = join(out, 'deployment.yaml');
  writeFileSync(file, generateDeployment(0));
  const node = process.execPath;
  const [floor, start, cold] = await measureInTurns(
    [
      [node, ['-e', '0']],
      [node, [kurel, 'version']],
      [node, [kurel, 'validate', file, '--kubernetes-version', version]],
    ],
    40,
  );
  const what = 'validate, one Deployment, cold';
  const against = (result) => `${(result.seconds / floor.seconds).toFixed(2)} × node -e 0`;
  return [
    { what, subject: 'node -e 0', ...floor },
    { what, subject: 'kurel version', ...start, ratio: against(start) },
    { what, subject: 'kurel validate', ...cold, ratio: against(cold) },
  ];
}

async function measureThroughput({ root, out, kurel }) {
  const count = 10_000;
  const directory = join(out, `deployments-${count}`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (let first = 0; first < count; first += documentsInFile) {
    const documents = Array.from({ length: documentsInFile }, (_, at) => generateDeployment(first + at));
    writeFileSync(join(directory, `${first}.yaml`), documents.join('---\n'));
  }
  const what = `validate, ${count.toLocaleString('en')} Deployments`;
  const own = [process.execPath, [kurel, 'validate', directory, '--kubernetes-version', version]];
  const kubeconform = join(root, '.tools', 'bin', 'kubeconform');
  if (!existsSync(kubeconform)) {
    console.error('kubeconform is not there to compare with: npm run tools');
    const [alone] = await measureInTurns([own], 5);
    return [{ what, subject: 'kurel validate', ...alone }];
  }
  const location = await writePeerSchemas(root, out);
  const peer = (...flags) => [kubeconform, ['-strict', ...flags, '-schema-location', location, directory]];
  const pinned = process.platform === 'linux' ? [onOneCore(own), onOneCore(peer('-n', '1'))] : [];
  const [all, one, many, ownPinned, peerPinned] = await measureInTurns([own, peer('-n', '1'), peer(), ...pinned], 5);
  const against = (mine, other) => `${(other.seconds / mine.seconds).toFixed(2)} × as fast as kubeconform`;
  return [
    { what, subject: 'kubeconform -strict', ...many },
    { what, subject: 'kubeconform -strict -n 1', ...one },
    { what, subject: 'kurel validate', ...all, ratio: against(all, one) },
    ...(pinned.length === 0
      ? []
      : [
          { what: `${what}, one core`, subject: 'kubeconform -strict -n 1', ...peerPinned },
          { what: `${what}, one core`, subject: 'kurel validate', ...ownPinned, ratio: against(ownPinned, peerPinned) },
        ]),
  ];
}

/** Neither Go's collector nor V8's helpers get a core of their own. */
function onOneCore([command, args]) {
  return ['taskset', ['-c', '0', command, ...args]];
}

async function writePeerSchemas(root, out) {
  const corpus = join(root, 'test', 'corpus');
  const { openStore } = await importSource(join(corpus, 'open-store.ts'));
  const { schemaLocation, writeStoreSchemas } = await importSource(join(corpus, 'write-store-schemas.ts'));
  const directory = join(out, 'schemas');
  rmSync(directory, { recursive: true, force: true });
  writeStoreSchemas(directory, openStore(root, version));
  return schemaLocation(directory);
}

/**
 * Objects that are already in memory: what checking alone costs, and whether it stays the same for many. All rows check the
 * same 50,000, in calls of different size: to check 1,000 again and again would measure the processor's cache.
 */
async function measureGrowth(root) {
  const source = (room) => importSource(join(root, 'packages', 'kurel', 'src', room, 'index.ts'));
  const { readYaml } = await source('yaml');
  const { validateObjects } = await source('validate');
  const { openStore } = await importSource(join(root, 'test', 'corpus', 'open-store.ts'));
  const store = openStore(root, version);
  const check = (objects) => {
    const report = (diagnostic) => {
      throw new Error(diagnostic.message);
    };
    validateObjects(objects, { store, report, origins: { get: () => undefined, set: () => undefined } });
  };
  const total = 50_000;
  const text = Array.from({ length: total }, (_, index) => generateDeployment(index)).join('---\n');
  const objects = readYaml({ path: 'deployments.yaml', text }).documents.map(({ data }) => data);
  check(objects);
  const rows = [];
  let first;
  for (const count of [1000, 10_000, total]) {
    const calls = Array.from({ length: total / count }, (_, at) => objects.slice(at * count, (at + 1) * count));
    const seconds = measureCall(() => calls.forEach(check), 5) / calls.length;
    const each = (seconds / count) * 1e6;
    first ??= each;
    rows.push({
      what: `validate in memory, ${count.toLocaleString('en')} Deployments`,
      subject: `${each.toFixed(1)} µs each`,
      seconds,
      ratio: `${(each / first).toFixed(2)} × the cost of each of 1,000`,
    });
  }
  return rows;
}

/** Nothing in it points to another object, so that both programs check the same: fields. */
function generateDeployment(index) {
  const variables = Array.from(
    { length: 8 },
    (_, at) => `            - name: SETTING_${at}\n              value: "${index * 31 + at}"\n`,
  );
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${index}
  labels:
    app.kubernetes.io/name: app-${index}
    app.kubernetes.io/part-of: suite-${index % 12}
  annotations:
    example.com/owner: "team-${index % 40}@example.com"
spec:
  replicas: ${(index % 5) + 1}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 25%
      maxSurge: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: app-${index}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-${index}
    spec:
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
      containers:
        - name: main
          image: registry.example.com/team-${index % 40}/app-${index}:1.${index % 20}.${index % 7}
          args: ["--listen=:8080", "--log-level=info"]
          ports:
            - name: http
              containerPort: 8080
          env:
${variables.join('')}          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          readinessProbe:
            httpGet:
              path: /ready
              port: http
            periodSeconds: 5
          livenessProbe:
            httpGet:
              path: /live
              port: http
            initialDelaySeconds: 10
          volumeMounts:
            - name: cache
              mountPath: /var/cache/app
      volumes:
        - name: cache
          emptyDir:
            sizeLimit: 1Gi
`;
}
