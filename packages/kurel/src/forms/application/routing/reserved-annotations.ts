import { annotationsOf } from '../../../kube/index.ts';
import type { Inspect } from '../catalog/define.ts';
import { routingProblems } from './problems.ts';

export const nginx = 'nginx.ingress.kubernetes.io';
export const issuers = { cluster: 'cert-manager.io/cluster-issuer', namespaced: 'cert-manager.io/issuer' };

/** Annotations that only the platform can set, with their values; `undefined` for those that must be absent. */
export type ReservedAnnotations = readonly (readonly [annotation: string, value: string | undefined])[];

/** Aliases would add hosts that the platform does not allow. */
export const aliases: ReservedAnnotations = [[`${nginx}/server-alias`, undefined]];

/** Checks a finished object, because annotations also come from the application, the component and patches. */
export function inspectAnnotations(reserved: ReservedAnnotations): Inspect | undefined {
  if (reserved.length === 0) return undefined;
  return (object, report) => {
    const annotations = annotationsOf(object);
    for (const [annotation, wanted] of reserved) {
      if (!Object.hasOwn(annotations, annotation) || annotations[annotation] === wanted) continue;
      const path = ['metadata', 'annotations', annotation];
      report(routingProblems.create('route-annotation-reserved', { annotation }), path);
    }
  };
}

/** Annotation prefixes of Ingress controllers, and of Kubernetes itself, that do not contain the label "ingress". */
const ofControllers = [
  'nginx.org/',
  'nginx.com/',
  'haproxy.org/',
  'haproxy-ingress.github.io/',
  'kubernetes.io/ingress.',
];

/** Whether only an Ingress controller reads the annotation. */
export function isForIngress(annotation: string): boolean {
  return (
    /^(?:[^/]*\.)?ingress\.[^/]*\//.test(annotation) || ofControllers.some((prefix) => annotation.startsWith(prefix))
  );
}
