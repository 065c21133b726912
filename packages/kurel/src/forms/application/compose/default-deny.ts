import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { gvkOf, podSiteOf } from '../../../kube/index.ts';
import type { JsonObject, KubeObject, Report } from '../../../model/index.ts';
import type { TraitOwner } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import { allowOperator } from '../routing/allow-operator.ts';

export const defaultDenyProblems = defineProblems({
  'default-deny-without-pods': {
    severity: 'warning',
    summary: 'The profile denies traffic by default, but the pod labels of a component are unknown.',
    message: ({ component }: { component: string }) =>
      `the traffic of component ${quote(component)} is not denied by default: its pod labels are unknown`,
    hint: () => 'add a "networkpolicy" trait with "podSelector" to the component',
    fix: 'Add a networkpolicy trait with podSelector, ingress: [] and egress: [] to the component, or accept the finding if other policies isolate its pods.',
  },
});

interface DefaultDeny {
  readonly denyIngress?: boolean | undefined;
  readonly denyEgress?: boolean | undefined;
  readonly allowDNS?: boolean | undefined;
  /** Whether the author has a policy for the component. */
  readonly hasPolicy: boolean;
  readonly operatorNamespace: string | undefined;
  readonly objects: readonly KubeObject[];
  readonly report: Report;
}

/**
 * A NetworkPolicy that isolates the pods of a component: other policies allow what it needs. Not one for the whole namespace,
 * which may have pods of other applications. What an operator needs to run the pods stays allowed.
 */
export function createDefaultDeny({ name, pods, operator }: TraitOwner, options: DefaultDeny): readonly KubeObject[] {
  const {
    denyIngress = false,
    denyEgress = false,
    allowDNS = true,
    hasPolicy,
    operatorNamespace,
    objects,
    report,
  } = options;
  if (!denyIngress && !denyEgress) return [];
  if (pods === undefined) {
    if (!hasPolicy && objects.some(runsPods))
      report(defaultDenyProblems.create('default-deny-without-pods', { component: name }));
    return [];
  }
  const own = operator === undefined ? undefined : allowOperator(operator, pods, operatorNamespace);
  const egress = [...(allowDNS ? [dns] : []), ...(own === undefined ? [] : [...own.egress, apiServer])];
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${name}-default-deny`, labels: { app: name } },
    spec: defined({
      podSelector: { matchLabels: { ...pods } },
      policyTypes: [...(denyIngress ? ['Ingress'] : []), ...(denyEgress ? ['Egress'] : [])],
      ingress: denyIngress ? own?.ingress : undefined,
      egress: denyEgress && egress.length > 0 ? egress : undefined,
    }),
  };
  return [policy];
}

const portsOf = (...ports: readonly (readonly [number, string])[]): JsonObject => ({
  ports: ports.map(([port, protocol]): JsonObject => ({ port, protocol })),
});
const dns = portsOf([53, 'UDP'], [53, 'TCP']);
// Instances of a database report to the API server, and upload backups.
const apiServer = portsOf([443, 'TCP'], [6443, 'TCP']);

const engines = /^(?:helm\.toolkit\.fluxcd\.io|kustomize\.toolkit\.fluxcd\.io|argoproj\.io)\//;

/** Whether the object has pods, or lets a GitOps engine create some. */
function runsPods(object: KubeObject): boolean {
  const gvk = gvkOf(object);
  return engines.test(object.apiVersion) || (gvk !== undefined && podSiteOf(object, gvk) !== undefined);
}
