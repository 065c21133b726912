import { join } from 'node:path';

import { importSource } from '../scripts/import-source.mjs';
import { generateDeployment } from './generate-deployment.mjs';
import { measureCall } from './measure.mjs';

const total = 50_000;

/**
 * Objects that are already in memory: what checking alone costs, and whether it stays the same for many. All rows check the
 * same 50,000, in calls of different size: to check 1,000 again and again would measure the processor's cache.
 */
export async function measureValidateInMemory({ root }) {
  const source = (name) => importSource(join(root, 'packages', 'kurel', 'src', name, 'index.ts'));
  const { readYaml } = await source('yaml');
  const { validateObjects } = await source('validate');
  const { openStore } = await importSource(join(root, 'test', 'corpus', 'open-store.ts'));
  const store = openStore(root, '1.37');
  const report = (diagnostic) => {
    throw new Error(diagnostic.message);
  };
  const check = (objects) =>
    validateObjects(objects, { store, report, origins: { get: () => undefined, set: () => undefined } });
  const text = Array.from({ length: total }, (_, index) => generateDeployment(index)).join('---\n');
  const objects = readYaml({ path: 'deployments.yaml', text }).documents.map(({ data }) => data);
  check(objects);
  return [1000, 10_000, total].map((count) => {
    const calls = Array.from({ length: total / count }, (_, at) => objects.slice(at * count, (at + 1) * count));
    const { rounds, seconds } = measureCall(() => calls.forEach(check), 5);
    return {
      case: `validate-in-memory-${count}`,
      what: `${count.toLocaleString('en')} Deployments in memory, validated`,
      subject: 'kurel, the library',
      role: 'kurel',
      rounds,
      seconds: seconds / calls.length,
      objects: count,
      note: `${((seconds / total) * 1e6).toFixed(1)} µs each`,
    };
  });
}
