import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { AgreementInput, InputSettings } from './collect-inputs.ts';
import { writeText } from './collect-inputs.ts';
import { repository } from '../source-tree.ts';

type Files = Readonly<Record<string, string>>;

const definition = readFileSync(
  join(repository, 'packages', 'kurel', 'test', 'fixtures', 'widget-parts-crd.yaml'),
  'utf8',
).replace(
  'type: object\n                    properties: {id',
  'type: object\n                    required: [id]\n                    properties: {id',
);

const objects: Files = {
  'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, labels: {app: web}}\ndata: {a: b}\n',
  'secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: own}\nstringData: {password: "correct horse"}\n',
  'widget.yaml':
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: web}\nspec:\n  parts:\n  - {id: left, size: 1}\n  - {id: right, size: 2}\n',
  'agent.yaml': [
    'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent}\nspec:\n  selector: {matchLabels: {app: agent}}\n  template:\n',
    '    metadata: {labels: {app: agent}}\n    spec:\n      hostNetwork: true\n      containers:\n',
    '      - {name: agent, image: "registry.example.com/agent:1.0.0", envFrom: [{configMapRef: {name: web}}, {secretRef: {name: nowhere}}]}\n',
  ].join(''),
};

function below(directory: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text]));
}

const crdsInside = below('web/schemas/crds', { 'widget.yaml': definition });

/** The same objects in each form. */
const forms: Readonly<Record<string, Files>> = {
  manifests: below('web', objects),
  kustomization: below('web', {
    ...objects,
    'kustomization.yaml': `resources: [${Object.keys(objects).join(', ')}]\n`,
  }),
  chart: below('web', {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    ...below('templates', objects),
    'templates/size.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: size}\ndata: {size: "{{ .Values.size }}", kube: "{{ .Capabilities.KubeVersion }}"}\n',
    'values.yaml': 'size: small\n',
  }),
  'patch-package': below('web', {
    'parameters.yaml':
      'kurel: {name: web, version: 1.0.0, appVersion: "1"}\nsize: small\nmore: false\nfeatures: {extra: false}\n',
    ...below('resources', objects),
    'patches/10-size.kpatch': '[configmap.web]\ndata.size: ${size}\n',
    'patches/20-more.kpatch': '[configmap.web]\ndata.more: "yes"\n',
    'patches/20-more.yaml': 'enabled: ${more}\n',
  }),
  application: below('web', {
    'app.yaml':
      'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: web}\nspec:\n  components:\n' +
      '  - name: web\n    type: webservice\n    properties:\n      image: "ghcr.io/a/web:1.0.0"\n      port: 8080\n      env: [{name: SIZE, value: "${size}"}]\n' +
      '    traits:\n    - {type: scaler, properties: {minReplicas: 1, maxReplicas: 9}}\n' +
      '  - {name: parts, type: manifests, properties: {file: manifests/all.yaml, scopeOverrides: [{apiVersion: example.com/v1, kind: Widget, scope: Namespaced}]}}\n',
    'kurel.yaml':
      'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Package\nmetadata: {name: web, version: 1.0.0}\nspec:\n  parameters:\n  - {name: size, type: string, default: small}\n',
    'manifests/all.yaml': Object.values(objects).join('---\n'),
  }),
};

const beside: Files = {
  'platform/crds/widget.yaml': definition,
  'platform/wrong/widget.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: w}\n',
  'platform/profile.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: c}\nspec: {gitopsEngine: fluxcd, fluxNamespace: gitops}\n',
  'platform/policy.yaml':
    'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec: {enforced: {maxReplicas: 3, allowedRegistries: [ghcr.io]}}\n',
  'values/large.yaml': 'size: large\n',
  'values/typo.yaml': 'szie: large\n',
  'values/wrong.yaml': 'size: [1, 2]\n',
  'patches/parts.yaml': '- target: widget.web\n  type: strategic\n  patch: {spec: {parts: [{id: right, size: 3}]}}\n',
  'patches/values.kpatch': '[configmap.web]\ndata.size: ${values.size}\n',
  'patches/package.kpatch': '[configmap.web]\ndata.size: ${size}\n',
  'patches/missing.kpatch': '[configmap.nowhere]\ndata.a: b\n',
  'patches/wrong.kpatch': '[daemonset.agent]\nspec.template.spec.hostNetwrok: true\n',
  'patches/secret.kpatch': '[secret.web]\nstringData.password: "new"\n',
};

const parts = { patch: ['patches/parts.yaml'] };
const crds = { crds: ['platform/crds'] };

/** Settings that have to do with each other, by what they ask. */
const rows: Readonly<Record<string, InputSettings>> = {
  nothing: {},
  'patch of a list': parts,
  'patch of a list, crds': { ...parts, ...crds },
  'patch of a list, pattern of crds': { ...parts, crds: ['platform/*/widget.yaml'] },
  'crds without schema': { crds: ['platform/wrong'] },
  'crds, nothing there': { crds: ['platform/nowhere'] },
  'crds, policy': { ...crds, policy: 'platform/policy.yaml' },
  'crds, namespace': { ...crds, ...parts, namespace: 'shop' },
  'crds, kind': { ...crds, ...parts, kind: ['Widget'] },
  'crds, strict': { ...crds, ...parts, strict: true },
  version: { 'kubernetes-version': '1.32' },
  'version, crds': { 'kubernetes-version': '1.32', ...crds, ...parts },
  'unknown version': { 'kubernetes-version': '1.2' },
  'policy, strict': { policy: 'platform/policy.yaml', strict: true },
  'policy, accepted': { policy: 'platform/policy.yaml', accept: ['image-registry', 'reference-missing'] },
  'strict, accepted': { strict: true, accept: ['reference-missing=daemonset/agent', 'setting-risky'] },
  'accepted, unused': { accept: ['reference-missing=daemonset/nowhere', 'port-unknown'] },
  'accepted, strict, unused': { strict: true, accept: ['reference-missing=daemonset/nowhere'] },
  values: { values: ['values/large.yaml'] },
  'values, set': { values: ['values/large.yaml'], set: ['size=huge'] },
  'values with a typo': { values: ['values/typo.yaml'] },
  'values with a typo, strict': { values: ['values/typo.yaml'], strict: true },
  'values of the wrong type': { values: ['values/wrong.yaml'] },
  'set with a typo': { set: ['szie=large'] },
  'patch with values': { patch: ['patches/values.kpatch'], set: ['size=large'] },
  'patch with a parameter': { patch: ['patches/package.kpatch'] },
  'patch without its value': { patch: ['patches/values.kpatch'] },
  'patch of nothing': { patch: ['patches/missing.kpatch'] },
  'patch of nothing, strict': { patch: ['patches/missing.kpatch'], strict: true },
  'patch with a typo': { patch: ['patches/wrong.kpatch'] },
  'patch of a secret, namespace': { patch: ['patches/secret.kpatch'], namespace: 'shop' },
  'all patches': { patch: ['patches'], ...crds, set: ['size=large'] },
  enable: { enable: ['20-more'] },
  'enable, unknown': { enable: ['20-mroe'] },
  'wrong namespace': { namespace: 'Shop' },
  'namespace, prefix': { namespace: 'shop', 'name-prefix': 'a-', 'content-hash': true },
  'label, annotation': { label: ['team=shop'], annotation: ['note=x'], ...crds },
  'kind, name': { kind: ['ConfigMap', 'Secret'], name: ['web'] },
  'nothing left': { kind: ['Deployment'], name: ['nowhere'] },
  selector: { selector: 'app=web', policy: 'platform/policy.yaml' },
  'jq, crds': { jq: ['if .kind == "Widget" then .spec.parts[0].size = "x" else . end'], ...crds },
  'jq-filter, strict': { 'jq-filter': ['.kind != "DaemonSet"'], strict: true },
  profile: { profile: 'platform/profile.yaml' },
  'profile, policy, version': {
    profile: 'platform/profile.yaml',
    policy: 'platform/policy.yaml',
    'kubernetes-version': '1.34',
  },
  'flux-namespace': { 'flux-namespace': 'flux' },
  'release-name': { 'release-name': 'shop', 'kube-version': '1.30.0' },
  'include-crds': { 'include-crds': true, ...crds },
  feature: { feature: ['extra'], ...parts },
  'many limits': { 'max-file-size': '1k' },
};

/** Forms that start programs are asked about what these see. */
const rowsOfPrograms =
  /^(?:nothing|patch of a list.*|crds, (?:policy|namespace|kind)|version.*|strict, accepted|values.*|set .*|patch with values|enable|namespace.*|profile|flux-namespace|release-name|include-crds)$/;

const layouts = ['flat', 'by-kind', 'by-resource', 'phases', 'flux', 'stream'] as const;

/** Small packages of each form with each of many settings, which the cases have only in part. */
export function ofSettings(): readonly (AgreementInput & { readonly key: string })[] {
  return Object.entries(forms).flatMap(([form, files]) => {
    const isProgram = form === 'chart' || form === 'kustomization';
    const asked = Object.entries(rows).filter(([row]) => !isProgram || rowsOfPrograms.test(row));
    const inside: [string, InputSettings] = ['patch of a list, crds inside', parts];
    return [...asked, inside].map(([row, settings], index) => {
      const all = { ...beside, ...files, ...(row === inside[0] ? crdsInside : {}) };
      const isAlone = form !== 'application' || settings['profile'] !== undefined;
      const flags = isAlone ? settings : { ...settings, 'no-profile': true };
      const name = `settings/${form}, ${row}`;
      return {
        name,
        path: 'web',
        flags,
        stdin: '',
        variables: { PATH: process.env['PATH'] },
        copyTo: (directory: string) => {
          for (const [path, text] of Object.entries(all)) writeText(join(directory, path), text);
        },
        key: name,
        layout: layouts[index % layouts.length]!,
      };
    });
  });
}
