import { listAt, mappingAt } from '../../kube/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { checkTiny } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

/** A CloudNativePG Cluster: its sizes become the sizes of claims and containers. */
export function checkDatabase(check: KindCheck): void {
  const spec = mappingAt(check.object, 'spec');
  checkSize(check, mappingAt(spec, 'storage'), ['spec', 'storage']);
  checkSize(check, mappingAt(spec, 'walStorage'), ['spec', 'walStorage']);
  listAt(spec, 'tablespaces').forEach((space, index) => {
    checkSize(check, mappingAt(space, 'storage'), ['spec', 'tablespaces', index, 'storage']);
  });
  for (const field of ['limits', 'requests']) {
    const value = mappingAt(mappingAt(spec, 'resources'), field)?.['memory'];
    checkTiny(check, { of: 'memory', value, path: ['spec', 'resources', field, 'memory'] });
  }
}

function checkSize(check: KindCheck, storage: Readonly<Record<string, Json>> | undefined, path: Path): void {
  checkTiny(check, { of: 'storage', value: storage?.['size'], path: [...path, 'size'] });
}
