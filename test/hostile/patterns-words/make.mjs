import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const long = 'a'.repeat(50_000);
// Longer keys are refused before they are checked.
const longKey = 'a'.repeat(1000);

export function make(directory) {
  writeFileSync(join(directory, 'web.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata: {}\n');
  for (let index = 0; index < 20; index += 1) writeFileSync(join(directory, `${'a'.repeat(200)}${index}.txt`), '');
  const pod = {
    containers: [
      {
        name: long,
        image: `${long}/${'a-'.repeat(20_000)}:${'9'.repeat(20_000)}@sha256:${long}`,
        resources: { limits: { cpu: '9'.repeat(50_000), memory: `${'0'.repeat(50_000)}Ki` } },
      },
    ],
    nodeSelector: { [longKey]: long },
  };
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', labels: { ['a-'.repeat(500)]: 'b.'.repeat(20_000) } },
      spec: pod,
    },
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: { schedule: '*/'.repeat(20_000), jobTemplate: {} },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { clusterIP: '1.'.repeat(20_000), externalName: 'a.'.repeat(20_000), selector: { a: long } },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a' },
      spec: { podSelector: { matchExpressions: [{ key: 'a/'.repeat(20_000), operator: 'In', values: [long] }] } },
    },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: '='.repeat(50_000) } },
  ];
  writeFileSync(join(directory, 'long.yaml'), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  mkdirSync(join(directory, 'chart', 'templates'), { recursive: true });
  writeFileSync(join(directory, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
}
