import { checkLabelKey, textAt } from '../../kube/index.ts';
import type { KindCheck } from './kind-check.ts';

export function checkStorageClass({ object, findings }: KindCheck): void {
  const provisioner = textAt(object, 'provisioner');
  const reason = provisioner === undefined ? undefined : checkLabelKey(provisioner.toLowerCase());
  if (reason !== undefined) {
    findings.add(object, { path: ['provisioner'] }, [
      'name-invalid',
      { what: 'provisioner', text: provisioner!, reason },
    ]);
  }
}
