import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { diffObjects, formatChangedField } from '../src/diff/index.ts';
import type { FieldChange, ObjectDifference } from '../src/diff/index.ts';
import { riskOfChange } from '../src/diff/rate-risks.ts';
import { compareQuantities, describeObject, parseQuantity } from '../src/kube/index.ts';
import { isJsonArray, isJsonObject } from '../src/model/index.ts';
import type { Json, KubeObject } from '../src/model/index.ts';
import { readYaml } from '../src/yaml/index.ts';
import { findOriginals } from './original-source.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

interface Migration {
  readonly name: string;
  /** What `kurel build` takes for each part of the original; `$podinfo` and `$loki` are the directories of the sources. */
  readonly originals: readonly string[];
  /** The package. */
  readonly path: string;
  /** Further flags of its build. */
  readonly flags: string;
  /** Objects of the original that another one replaces on this cluster. */
  readonly replaced?: readonly string[];
  readonly added: readonly string[];
  /** Changes of pod templates, which replace pods. */
  readonly rollouts?: readonly string[];
}

const migrations = 'examples/migrations';
const host = '--set host=podinfo.example.com';
const onIngress = '--profile examples/applications/web/ingress.yaml';
const onGateway = '--profile examples/applications/web/gateway.yaml';

const ofKustomization = ['dev', 'staging', 'production'].flatMap((environment): readonly Migration[] => {
  const originals = [`$podinfo/deploy/overlays/${environment}`];
  const path = `${migrations}/podinfo`;
  const flags = `--content-hash ${host} --set environment=${environment}`;
  const inNamespace = `in namespace "${environment}"`;
  return [
    {
      name: `podinfo in ${environment}, ingress cluster`,
      originals,
      path,
      flags: `${flags} ${onIngress}`,
      added: [`networking.k8s.io/v1 Ingress "frontend-ingress" ${inNamespace}`],
    },
    {
      name: `podinfo in ${environment}, gateway cluster`,
      originals,
      path,
      flags: `${flags} ${onGateway}`,
      added: [
        `gateway.networking.k8s.io/v1 HTTPRoute "frontend-httproute" ${inNamespace}`,
        `networking.k8s.io/v1 NetworkPolicy "frontend-allow-ingress-traffic" ${inNamespace}`,
      ],
    },
  ];
});

const ofChart = {
  originals: [
    '$podinfo/charts/podinfo --release-name podinfo --namespace podinfo ' +
      `--values $podinfo/charts/podinfo/values-prod.yaml --values ${migrations}/podinfo-chart/values.yaml ` +
      // Helm runs its tests on request only.
      `--jq-filter '.metadata.annotations["helm.sh/hook"] == null'`,
  ],
  path: `${migrations}/podinfo-chart`,
};

const all: readonly Migration[] = [
  ...ofKustomization,
  { name: 'the chart of podinfo, ingress cluster', ...ofChart, flags: `${host} ${onIngress}`, added: [] },
  {
    name: 'the chart of podinfo, gateway cluster',
    ...ofChart,
    flags: `${host} ${onGateway}`,
    replaced: ['networking.k8s.io/v1 Ingress "podinfo" in namespace "podinfo"'],
    added: [
      'gateway.networking.k8s.io/v1 HTTPRoute "podinfo" in namespace "podinfo"',
      'networking.k8s.io/v1 NetworkPolicy "podinfo-allow-ingress-traffic" in namespace "podinfo"',
    ],
  },
  {
    name: 'the charts of Loki and Promtail',
    originals: ['loki', 'promtail'].map(
      (chart) =>
        `$loki/production/helm/${chart} --release-name ${chart} --namespace logging --values ${migrations}/loki/values-${chart}.yaml`,
    ),
    path: `${migrations}/loki`,
    flags: `--no-profile --policy ${migrations}/loki/policy.yaml`,
    added: [],
    // kurel mounts the volumes of claims first, and writes no empty affinity.
    rollouts: [
      'spec.template.spec.affinity',
      'spec.template.spec.containers[0].volumeMounts[1]',
      'spec.template.spec.containers[0].volumeMounts[0]',
      'spec.template.spec.affinity',
    ],
  },
];

const found = findOriginals();
const isMissing = 'missing' in found;
// Without the applications, the tests are skipped loudly, and fail in continuous integration.
if (isMissing && process.env['CI'] !== 'true') console.warn(`SKIPPED: migrations: ${found.missing}`);
const directories = isMissing ? {} : found.directories;

describe.skipIf(isMissing && process.env['CI'] !== 'true')('a migration', () => {
  it('has its originals', () => {
    expect(found).not.toHaveProperty('missing');
  });

  it.each(all)('$name recreates nothing and needs no patches', { tags: 'slow' }, async (migration) => {
    const before = (await Promise.all(migration.originals.map(buildObjects))).flat();
    const after = await buildObjects(`${migration.path} ${migration.flags} --strict`);
    const { objects } = diffObjects(before, after);
    expect(namesOf(objects, 'remove')).toEqual(migration.replaced ?? []);
    expect(namesOf(objects, 'add')).toEqual(migration.added);
    const changes = objects.flatMap((one) =>
      one.operation === 'change' ? one.changes.map((change) => ({ object: one.after, change })) : [],
    );
    expect(changes.filter(({ object, change }) => isRisky(riskOfChange(object, change))).map(fieldOf)).toEqual([]);
    const different = changes.filter(({ change }) => !isSame(change)).map(fieldOf);
    expect(different.filter((field) => field.startsWith('spec.template.'))).toEqual(migration.rollouts ?? []);
    expect(existsSync(join(repository, migration.path, 'patches'))).toBe(false);
  });
});

/** More access is shown on the page of the migration; it recreates nothing. */
function isRisky(risk: ReturnType<typeof riskOfChange>): boolean {
  return risk !== undefined && risk !== 'wider-access';
}

function fieldOf({ change }: { readonly change: FieldChange }): string {
  return formatChangedField(change.path);
}

function namesOf(objects: readonly ObjectDifference[], operation: 'add' | 'remove'): readonly string[] {
  return objects.flatMap((one) => {
    if (one.operation !== operation) return [];
    return [describeObject(one.operation === 'add' ? one.after : (one as { readonly before: KubeObject }).before)];
  });
}

/** Defaults of the API server that kurel writes out. */
const defaults: readonly (readonly [field: RegExp, value: Json])[] = [
  [/\.ports\[.*\]\.protocol$/, 'TCP'],
  [/\.hostPath\.type$/, ''],
];

/** Whether the API server stores the same for both values. */
function isSame(change: FieldChange): boolean {
  const { operation, before, after } = change;
  const field = formatChangedField(change.path);
  if (operation === 'add') return defaults.some(([pattern, value]) => pattern.test(field) && value === after);
  if (operation !== 'change' || !/\.resources\./.test(field)) return false;
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  const [one, other] = [parseQuantity(before), parseQuantity(after)];
  return one !== undefined && other !== undefined && compareQuantities(one, other) === 0;
}

async function buildObjects(line: string): Promise<readonly KubeObject[]> {
  const words = Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare = '']) => {
    return quoted ?? bare.replace(/^\$(\w+)/, (_, name: string) => directories[name] ?? '');
  });
  const { exitCode, stdout, stderr } = await runProgram(['build', ...words]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { documents } = readYaml({ path: 'output', text: stdout });
  return documents.flatMap(({ data }) => (isJsonObject(data) ? [dropEmpty(data) as unknown as KubeObject] : []));
}

/** Charts write empty fields, which the API server stores as none; only an empty affinity stays. */
function dropEmpty(value: Json): Json {
  if (isJsonArray(value)) return value.map(dropEmpty);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, dropEmpty(one)] as const);
  return Object.fromEntries(entries.filter(([key, one]) => one !== null && (key === 'affinity' || !isEmpty(one))));
}

function isEmpty(value: Json): boolean {
  return (isJsonArray(value) && value.length === 0) || (isJsonObject(value) && Object.keys(value).length === 0);
}
