import { annotationsOf } from '../../../kube/index.ts';
import type { Inspect } from '../catalog/define.ts';
import { routingProblems } from './problems.ts';

export const nginx = 'nginx.ingress.kubernetes.io';
export const issuers = { cluster: 'cert-manager.io/cluster-issuer', namespaced: 'cert-manager.io/issuer' };

/** Annotations that only the platform may set, and what it sets them to; `undefined` for those that must not be there. */
export type ReservedAnnotations = readonly (readonly [annotation: string, value: string | undefined])[];

/** They would bring more hosts than the platform allows. */
export const aliases: ReservedAnnotations = [[`${nginx}/server-alias`, undefined]];

/** Holds a finished object against them: annotations also come from the application, the component and patches. */
export function inspectAnnotations(reserved: ReservedAnnotations): Inspect | undefined {
  if (reserved.length === 0) return undefined;
  return (object, report) => {
    const found = annotationsOf(object);
    for (const [annotation, wanted] of reserved) {
      if (!Object.hasOwn(found, annotation) || found[annotation] === wanted) continue;
      const path = ['metadata', 'annotations', annotation];
      report(routingProblems.create('route-annotation-reserved', { annotation }), path);
    }
  };
}

/** Prefixes of the annotations that controllers of Ingresses read besides those with a label "ingress", and of Kubernetes itself. */
const ofControllers = [
  'nginx.org/',
  'nginx.com/',
  'haproxy.org/',
  'haproxy-ingress.github.io/',
  'kubernetes.io/ingress.',
];

/** Whether an annotation is for the controller of an Ingress: no other object has any use for it. */
export function isForIngress(annotation: string): boolean {
  return (
    /^(?:[^/]*\.)?ingress\.[^/]*\//.test(annotation) || ofControllers.some((prefix) => annotation.startsWith(prefix))
  );
}
