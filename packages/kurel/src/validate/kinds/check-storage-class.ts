import { checkLabelKey, textAt } from '../../kube/index.ts';
import type { KindCheck } from './kind-check.ts';

export function checkStorageClass({ object, findings }: KindCheck): void {
  const provisioner = textAt(object, 'provisioner');
  const reason = provisioner === undefined ? undefined : explainProvisioner(provisioner);
  if (reason !== undefined) {
    findings.add(object, { path: ['provisioner'] }, [
      'name-invalid',
      { what: 'provisioner', text: provisioner!, reason, rule: explainProvisioner },
    ]);
  }
}

function explainProvisioner(text: string): string | undefined {
  return checkLabelKey(text.toLowerCase());
}
