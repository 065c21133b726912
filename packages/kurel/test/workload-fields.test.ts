import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { volumeSources } from '../src/kube/index.ts';
import { builtIn } from '../src/forms/application/catalog/catalog.ts';
import { findKubernetesField } from '../src/forms/application/check-kubernetes.ts';
import type { KubernetesField } from '../src/documents/field.ts';
import { volume } from '../src/forms/application/pods/volume-property.ts';
import { bundledSchemas } from '../src/host/index.ts';
import { createSchemaStore, shippedKubernetesVersions } from '../src/schema/index.ts';
import { deriveWorkloadTable, writeWorkloadTable } from './derive-workload-fields.ts';
import { repository } from './source-tree.ts';

const file = join(repository, 'packages/kurel/src/kube/workload-table.ts');
const files = bundledSchemas();
const stores = shippedKubernetesVersions(files).flatMap((kubernetesVersion) =>
  (['standard', 'experimental'] as const).map((gatewayChannel) =>
    createSchemaStore({ files, kubernetesVersion, gatewayChannel }),
  ),
);
const table = deriveWorkloadTable(stores);

describe('the fields that run something', () => {
  it('are those of the shipped schemas', () => {
    const text = writeWorkloadTable(table);
    if (process.env['UPDATE_CASES'] === '1') writeFileSync(file, text);
    expect(normalise(readFileSync(file, 'utf8'))).toBe(normalise(text));
  });

  it.each([
    ['apps/Deployment', 'pods', 'spec.template.spec'],
    ['apps/Deployment', 'counts', 'spec.replicas'],
    ['batch/CronJob', 'pods', 'spec.jobTemplate.spec.template.spec'],
    ['batch/CronJob', 'counts', 'spec.jobTemplate.spec.parallelism'],
    ['monitoring.coreos.com/Prometheus', 'pods', 'spec'],
    ['monitoring.coreos.com/Prometheus', 'images', 'spec.thanos.image'],
    ['monitoring.coreos.com/Alertmanager', 'counts', 'spec.replicas'],
    ['postgresql.cnpg.io/Cluster', 'images', 'spec.imageName'],
    ['postgresql.cnpg.io/Cluster', 'contexts', 'spec.securityContext'],
    ['postgresql.cnpg.io/ImageCatalog', 'images', 'spec.images[].image'],
    ['postgresql.cnpg.io/Pooler', 'pods', 'spec.template.spec'],
    ['/PersistentVolume', 'nodePaths', 'spec.hostPath'],
    ['apps/ControllerRevision', 'open', 'data'],
  ] as const)('%s: %s %s', (kind, part, path) => {
    expect(table.get(kind)?.[part].has(path)).toBe(true);
  });

  it('are none of what a cluster says itself', () => {
    for (const fields of table.values()) {
      for (const paths of Object.values(fields) as Set<string>[]) {
        expect([...paths].filter((path) => path.startsWith('status'))).toEqual([]);
      }
    }
  });
});

describe('every field of a workload', () => {
  const deployment = ['apps/v1', 'Deployment', ['spec']] as const;
  const fields = {
    webservice: [deployment],
    worker: [deployment],
    statefulset: [['apps/v1', 'StatefulSet', ['spec']]],
    daemonset: [['apps/v1', 'DaemonSet', ['spec']]],
    cronjob: [
      ['batch/v1', 'CronJob', ['spec']],
      ['batch/v1', 'Job', ['spec']],
    ],
    job: [['batch/v1', 'Job', ['spec']]],
  } as const;
  const ofPods = [
    ['v1', 'Pod', ['spec']],
    ['v1', 'Pod', ['spec', 'containers']],
  ] as const;

  it.each(Object.entries(fields))('is a property of %s, or has advice', (type, places) => {
    const { properties, instead = {} } = builtIn.components.find((component) => component.type === type)!;
    const known = new Set([...Object.keys(properties), ...Object.keys(instead)]);
    const found = [...places, ...ofPods].flatMap(([apiVersion, kind, path]) =>
      namesAt([apiVersion, kind, ...path]).filter((name) => !known.has(name)),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['volumes', 'volumes'],
    ['mounts', 'containers.volumeMounts'],
  ])('is a property of %s, or has advice', (_, path) => {
    const known = new Set([...Object.keys(volume.properties), ...Object.keys(volume.instead)]);
    expect(namesAt(['v1', 'Pod', 'spec', ...path.split('.')]).filter((name) => !known.has(name))).toEqual([]);
  });

  it('is a type of volumes that a policy can name', () => {
    const names = namesAt(['v1', 'Pod', 'spec', 'volumes']).filter((name) => name !== 'name');
    expect([...volumeSources]).toEqual(names.toSorted());
  });

  it('has no advice that is never given', () => {
    const found = builtIn.components.flatMap(({ type, properties, instead = {} }) =>
      Object.keys(instead).flatMap((name) => (Object.hasOwn(properties, name) ? [`${type}.${name}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

/** The fields in any of the shipped versions. */
function namesAt(field: KubernetesField): readonly string[] {
  const names = stores.flatMap((store) => {
    const node = findKubernetesField(field, store);
    return (node?.items ?? node)?.propertyNames ?? [];
  });
  return [...new Set(names)];
}

/** The formatter may break lines. */
function normalise(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/,? \}/g, ' }').replaceAll("'", '');
}
