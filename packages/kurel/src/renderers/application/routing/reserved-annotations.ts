import { annotationsOf } from '../../../kube/index.ts';
import type { Inspect } from '../catalog/define.ts';
import { routingProblems } from './problems.ts';

export const nginx = 'nginx.ingress.kubernetes.io';
export const issuers = { cluster: 'cert-manager.io/cluster-issuer', namespaced: 'cert-manager.io/issuer' };
export const hostAlias = `${nginx}/server-alias`;

/** Annotations that only the platform may set, and what it sets them to; `undefined` for those that must not be there. */
export type ReservedAnnotations = Readonly<Record<string, string | undefined>>;

/** Holds a finished object against them: annotations also come from the application, the component and patches. */
export function inspectAnnotations(reserved: ReservedAnnotations): Inspect {
  return (object, report) => {
    const found = annotationsOf(object);
    for (const annotation of Object.keys(reserved)) {
      if (!Object.hasOwn(found, annotation) || found[annotation] === reserved[annotation]) continue;
      const path = ['metadata', 'annotations', annotation];
      report(routingProblems.create('route-annotation-reserved', { annotation }), path);
    }
  };
}
