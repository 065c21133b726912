import { mappingAt, textAt } from '../kube/index.ts';
import type { Subject } from './subject.ts';

/** The name of the Secret that a controller makes from an object, for the best known of them. */
export function madeSecretOf({ object, gvk, name }: Subject): string | undefined {
  const spec = mappingAt(object, 'spec');
  switch (`${gvk.group}/${gvk.kind}`) {
    case 'external-secrets.io/ExternalSecret':
      return textAt(mappingAt(spec, 'target'), 'name') ?? name;
    case 'bitnami.com/SealedSecret':
      return name;
    case 'cert-manager.io/Certificate':
      return textAt(spec, 'secretName');
    default:
      return undefined;
  }
}
