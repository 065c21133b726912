import { application, inLetters, manifest, parameters, putFiles } from '../make-files.mjs';

const fill = (count, make, between = ', ') => Array.from({ length: count }, (_, index) => make(index)).join(between);
const document = (kind, spec) =>
  `apiVersion: launcher.gokure.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: p}\nspec:\n${spec}`;
const fleet = (spec, more = {}) => ({ 'kurel.fleet.yaml': document('Fleet', spec), 'a.yaml': manifest, ...more });
const targets = (count, rest = '') => fill(count, (at) => `{name: t${at}, package: a.yaml, output: out/${at}${rest}}`);
const objects = (count, make) => fill(count, make, '---\n');
const configMap = (name, rest = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${rest}`;
const shop = (values, resource, more = {}) => ({
  'p.kurel/parameters.yaml': `${parameters}${values}`,
  'p.kurel/resources/a.yaml': resource,
  ...more,
});
const pod = (annotations) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {${annotations}}}\nspec: {containers: [{name: a, image: 'a.example.com/i:1'}]}\n`;
const policed = (rules, text) => ({ 'policy.yaml': document('Policy', rules), 'a.yaml': text });
const encrypted = (at) => `ENC[AES256_GCM,data:abc${at},iv:abcd,tag:efgh,type:str]`;
const sops = `sops: {mac: '${encrypted('m')}', version: 3.9.0, lastmodified: '2026-01-01T00:00:00Z', age: [{recipient: age1x, enc: x}]}\n`;
const secret = (name, data) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData: {${data}}\n${sops}`;
const registry = '  enforced: {allowedRegistries: [a.example.com]}\n';
const restricted = '  security: {level: restricted}\n';
const units = ['a', 'a/', 'a:', 'a.', 'a-', 'A ', '/', 'a/a:', '@'];

/** One input of up to a megabyte for each directory. */
const inputs = {
  groups: fleet(
    `  groups: {${fill(400, (at) => `g${at}: {extends: [${fill(at, (to) => `g${to}`)}]}`)}}\n  targets: [${targets(3000, ', extends: [g399]')}]\n`,
  ),
  outputs: fleet(`  targets: [${fill(16_000, (at) => `{name: t${at}, package: a.yaml, output: out/x}`)}]\n`),
  names: fleet(`  targets: [${fill(16_000, (at) => `{name: t, package: a.yaml, output: out/${at}}`)}]\n`),
  nested: fleet(
    `  targets: [${fill(2000, (at) => `{name: t${at}, package: a.yaml, output: ${'a/'.repeat(at % 200)}b${at % 7}}`)}]\n`,
  ),
  wide: fleet(`  targets: [{name: ${'n'.repeat(200_000)}, package: a.yaml, output: o}, ${targets(5000)}]\n`),
  packages: fleet(`  targets: [{name: n, package: '${'日'.repeat(100_000)}', output: o}, ${targets(5000)}]\n`),
  accepted: fleet(
    `  defaults: {accept: [${fill(8000, (at) => `{code: reference-missing, object: deployment/web${at}, reason: r}`)}]}\n  targets: [${targets(500)}]\n`,
  ),
  unknown: fleet(
    `  clusters: {${fill(20_000, (at) => `cluster${at}: {}`)}}\n  matrix: [{clusters: [${fill(20_000, (at) => `klustr${at}`)}]}]\n`,
  ),
  extended: fleet(
    `  groups: {${fill(990, (at) => `group${'x'.repeat(100)}${at}: {}`)}}\n  defaults: {extends: [${fill(20_000, (at) => `zroup${at}`)}]}\n`,
  ),
  pattern: fleet(
    `  directories: [{path: 'apps/{cluster}/{app}${'*a'.repeat(150_000)}', output: 'out/{cluster}/{app}'}]\n`,
    Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`apps/c${at}/x`, ''])),
  ),
  excluded: fleet(
    `  directories: [{path: 'apps/{cluster}/{app}', output: 'out/{cluster}/{app}', exclude: [${fill(20_000, (at) => `'apps/**${at}*'`)}]}]\n`,
    Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`apps/c${at}/x`, ''])),
  ),
  holes: fleet(`  directories: [{path: 'apps/${fill(30_000, (at) => `{p${at}}`, '')}', output: 'out/{path}'}]\n`, {
    [`apps/${'c'.repeat(200)}`]: '',
  }),
  deep: fleet(`  defaults: {set: ${'{a: '.repeat(240)}1${'}'.repeat(240)}}\n  targets: [${targets(12_000)}]\n`),
  versions: fleet(
    `  targets: [{name: t, package: 'oci://localhost:1/a', version: '${'>=1 '.repeat(220_000)}', output: out}]\n`,
  ),
  lock: fleet(`  targets: [{name: t, package: 'oci://localhost:1/a', version: '1.x', output: out}]\n`, {
    'kurel.fleet.lock': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: Lock\nspec:\n  packages:\n${fill(5000, (at) => `  - {url: 'oci://localhost:1/a${at % 2500}', range: 1.x, tag: 1.3.0, version: 1.3.0, digest: 'sha256:${'3'.repeat(64)}'}\n`, '')}`,
  }),
  texts: fleet(
    `  clusters: {${fill(90, (at) => `c${at}: {}`)}}\n  applications: {${fill(90, (at) => `a${at}: {package: a.yaml}`)}}\n  defaults: {output: 'out/{cluster}/{app}', optionalValues: [${fill(1500, (at) => `'${'x'.repeat(500)}{app}${at}'`)}]}\n  matrix: [{}]\n`,
  ),
  shared: fleet(
    `  clusters: {c: {}}\n  defaults: {accept: [${fill(300, (at) => `{code: fleet-object-shared, object: configmap/z${at}, reason: r}`)}]}\n  targets: [${targets(20, ', cluster: c')}]\n`,
    { 'a.yaml': objects(2000, (at) => configMap(`a${at}`)) },
  ),
  kinds: policed(
    `  objects: {forbiddenKinds: [${fill(30_000, (at) => `Kind${at}`)}], allowedGroups: [${fill(10_000, (at) => `g${at}.example.com`)}], allowedNamespaces: [${fill(10_000, (at) => `n${at}`)}]}\n`,
    objects(3000, (at) => `apiVersion: example.com/v1\nkind: K${at}\nmetadata: {name: a, namespace: x}\n`),
  ),
  lists: policed(
    `  security: {allowedCapabilities: [${fill(20_000, (at) => `CAP_${inLetters(at)}`)}], allowedSysctls: [${fill(10_000, (at) => `net.a${at}.c`)}]}\n`,
    `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {securityContext: {sysctls: [${fill(6000, (at) => `{name: net.b${at}.c, value: '1'}`)}]}, containers: [{name: c, image: 'i:1', securityContext: {capabilities: {add: [${fill(10_000, (at) => `CAPX_${inLetters(at)}`)}]}}}]}\n`,
  ),
  annotations: policed(registry, pod(fill(30_000, (at) => `a/image${at}-image: 'b/${at}'`))),
  long: policed(registry, pod(fill(9, (at) => `a/b${at}: '${units[at].repeat(25_000)}'`))),
  json: policed(
    restricted,
    pod(
      `a: '${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}', b: '[${fill(15_000, (at) => `{"hostPort": ${at}}`, ',')}]'`,
    ),
  ),
  roles: policed(
    `  security: {allowWildcardRoles: false, allowSecretReads: false, allowPodExec: false}\n`,
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\nrules:\n- apiGroups: [""]\n  verbs: [${fill(40_000, (at) => `v${at}`)}]\n  resources: [${fill(40_000, (at) => `pods/r${at}`)}]\n`,
  ),
  traits: {
    'c.yaml': document('ClusterProfile', `  capabilities: {${fill(30_000, (at) => `expos${at}.s: {}`)}}\n`),
    'p/app.yaml': application,
  },
  components: {
    'p/app.yaml': document(
      'Application',
      `  components:\n${fill(12_000, () => `  - {name: w, type: worker, properties: {image: 'i.example.com/i:1'}}\n`, '')}`,
    ),
  },
  chain: shop(
    `${fill(9000, (at) => `p${at}: "x\${p${at + 1}}"\n`, '')}p9000: x\n`,
    configMap('a', `data: {${fill(9000, (at) => `k${at}: "\${p${at}}"`)}}\n`),
  ),
  cycle: shop(
    fill(20_000, (at) => `p${at}: "\${p${(at + 1) % 20_000}}"\n`, ''),
    manifest,
  ),
  dense: shop(
    fill(300, (at) => `p${at}: "${fill(300, (to) => `\${p${to}}`, '')}"\n`, ''),
    manifest,
  ),
  template: shop('v: x\n', configMap('a', `data: {a: "${'${v}'.repeat(230_000)}"}\n`)),
  quotes: shop('v: x\n', configMap('a', `data: {a: '${'${a["'.repeat(150_000)}'}\n`)),
  levels: fleet(
    `  groups: {${fill(900, (at) => `g${at}: {set: {m: {k${at}: "2"}}}`)}}\n  targets: [{name: t, package: p.kurel, output: out, extends: [${fill(900, (at) => `g${at}`)}]}]\n`,
    shop(
      `m: {${fill(15_000, (at) => `k${at}: "1"`)}}\n`,
      configMap('a', `data: {${fill(15_000, (at) => `k${at}: "\${m.k${at}}"`)}}\n`),
    ),
  ),
  sets: shop(
    `m: {${fill(15_000, (at) => `k${at}: "1"`)}}\nl: []\n`,
    configMap('a', 'data: {a: "${l[0]}", b: "${m.k0}"}\n'),
  ),
  declared: {
    'p/kurel.yaml': document(
      'Package',
      `  parameters:\n  - {name: lim, type: object, default: {${fill(20_000, (at) => `k${at}: x`)}}}\n  - {name: env, type: array, default: [${fill(2000, () => '{name: x}')}]}\n`,
    ),
    'p/app.yaml': application.replace('image:', 'env: [{name: A, value: "${lim.k0}${lim.z}"}]\n      image:'),
  },
  definitions: {
    'crd.yaml': `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {group: example.com, scope: Namespaced, names: {kind: Widget, plural: widgets}, versions: [${fill(6000, (at) => `{name: v${at + 1}, served: true, storage: ${at === 0}, schema: {openAPIV3Schema: {type: object}}}`)}]}\n`,
    'a.yaml': objects(6000, (at) => `apiVersion: example.com/v${at + 9000}\nkind: Widget\nmetadata: {name: a${at}}\n`),
  },
  diff: {
    'a.yaml': objects(3000, (at) => configMap(`a${at}`, 'data: {k: a}\n')),
    'b.yaml': `${configMap('n'.repeat(200_000))}---\n${objects(3000, (at) => configMap(`a${at}`, 'data: {k: b}\n'))}`,
  },
  sops: {
    'a.yaml': secret(
      'a',
      fill(6000, (at) => `k${at}: '${encrypted(at)}'`),
    ),
    'p.kpatch': `[secret.a]\n${fill(8000, (at) => `stringData.z${at}: v\n`, '')}`,
  },
  encrypted: { 'a.yaml': objects(2500, (at) => secret(`a${at}`, `k: '${encrypted(at)}'`)) },
  stars: {
    'a.yaml': objects(5000, (at) => configMap(`${'a'.repeat(50)}${at}`)),
    'p.kpatch': fill(5000, (at) => `[configmap.${'*a'.repeat(20)}*b${at}]\ndata.k: v\n`, ''),
  },
  dots: {
    'a.yaml': objects(4000, (at) => `apiVersion: v1\nkind: Secret\nmetadata: {name: a.b.c${at}}\n`),
    'p.kpatch': fill(8000, (at) => `[secret.a.b.c${at}]\ndata.k: eA==\n`, ''),
  },
};

export function make(directory, words) {
  const [name] = words.find((word) => word.includes('/') && Object.hasOwn(inputs, word.split('/')[0])).split('/');
  putFiles(
    directory,
    Object.fromEntries(Object.entries(inputs[name]).map(([path, text]) => [`${name}/${path}`, text])),
  );
}
