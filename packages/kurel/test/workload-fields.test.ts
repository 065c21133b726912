import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

/** The formatter may break lines. */
function normalise(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/,? \}/g, ' }').replaceAll("'", '');
}
