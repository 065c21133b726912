import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

import { decodeObjects, identityOf } from '../src/kube/index.ts';
import type { KubeObject } from '../src/model/index.ts';
import { readYaml } from '../src/yaml/index.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';

const manifests = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: web}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: web
      imagePullSecrets: [{name: pull}]
      volumes:
        - {name: text, configMap: {name: text}}
        - {name: both, projected: {sources: [{secret: {name: login}}, {configMap: {name: empty}}]}}
        - {name: sealed, secret: {secretName: login}}
        - {name: data, persistentVolumeClaim: {claimName: data}}
      initContainers:
        - {name: init, image: 'a:1', envFrom: [{configMapRef: {name: text}}]}
      containers:
        - name: web
          image: a:1
          envFrom: [{secretRef: {name: login}}]
          env:
            - {name: A, valueFrom: {configMapKeyRef: {name: bytes, key: a}}}
            - {name: B, valueFrom: {secretKeyRef: {name: elsewhere, key: a}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store}
spec:
  serviceName: web
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec: {containers: [{name: store, image: 'a:1'}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  defaultBackend: {service: {name: web, port: {number: 80}}}
  tls: [{hosts: [a.example], secretName: login}]
  rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [''], resources: [configmaps], resourceNames: [text], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: web, namespace: shop}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: ServiceAccount, name: web, namespace: shop}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hook}
webhooks:
  - name: a.example.com
    sideEffects: None
    admissionReviewVersions: [v1]
    clientConfig: {service: {name: web, namespace: shop, path: /}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

const kustomization = `
namespace: shop
resources: [all.yaml]
configMapGenerator:
  - name: text
    literals: ['a=<1> & "2"', 'empty=']
    files: [b.txt]
  - {name: bytes, files: [a=bytes.dat]}
  - {name: empty}
secretGenerator:
  - {name: pull, literals: [p=secret]}
  - {name: login, type: kubernetes.io/basic-auth, literals: [username=u, password=<p>]}
patches:
  - target: {kind: Secret, name: login}
    patch: |
      - {op: add, path: /stringData, value: {more: "b<>&"}}
`;

const directory = mkdtempSync(join(tmpdir(), 'kurel-names-'));
afterAll(() => rmSync(directory, { recursive: true }));

function objectsIn(text: string): ReadonlyMap<string, KubeObject> {
  const found = decodeObjects(readYaml({ path: 'output', text }).documents, { file: 'output', report: () => {} });
  return new Map(found.map(({ object }) => [identityOf(object), object]));
}

// The real kustomize decides what names and references come to.
describeWithProgram('kustomize', 'names as kustomize makes them', (file) => {
  function kustomize(more: string): string {
    writeFileSync(join(directory, 'all.yaml'), manifests);
    writeFileSync(join(directory, 'b.txt'), 'line\n\ttab \u2028 é 𝒳 \u0001\b\f\\');
    writeFileSync(join(directory, 'bytes.dat'), Uint8Array.of(0, 255, 254, 3));
    writeFileSync(join(directory, 'kustomization.yaml'), `${kustomization}${more}`);
    return execFileSync(file, ['build', directory], { encoding: 'utf8' });
  }

  it('with a prefix, a suffix and hashes', async () => {
    const plain = kustomize('generatorOptions: {disableNameSuffixHash: true}\n');
    const words = ['build', '-', '--no-validate', '--name-prefix', 'x-', '--name-suffix=-y', '--content-hash'];
    const { stdout, exitCode } = await runProgram(words, { stdin: plain });
    expect(exitCode).toBe(0);
    expect(objectsIn(stdout)).toEqual(objectsIn(kustomize('namePrefix: x-\nnameSuffix: -y\n')));
  });

  it('with hashes alone, and the same again', async () => {
    const plain = kustomize('generatorOptions: {disableNameSuffixHash: true}\n');
    const { stdout } = await runProgram(['build', '-', '--no-validate', '--content-hash'], { stdin: plain });
    expect(objectsIn(stdout)).toEqual(objectsIn(kustomize('')));
    expect([...objectsIn(stdout).keys()].filter((key) => /-[a-z0-9]{10}$/.test(key))).toHaveLength(5);
  });
});
