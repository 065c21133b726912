// Groups in .k8s.io that are CRDs, such as gateway.networking.k8s.io, look alike; only a list tells them apart.
const builtInGroups = new Set(
  `admissionregistration.k8s.io apiextensions.k8s.io apiregistration.k8s.io auditregistration.k8s.io
  authentication.k8s.io authorization.k8s.io certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io
  flowcontrol.apiserver.k8s.io imagepolicy.k8s.io internal.apiserver.k8s.io lifecycle.k8s.io networking.k8s.io
  node.k8s.io rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io settings.k8s.io storage.k8s.io
  storagemigration.k8s.io`.split(/\s+/),
);

/** Whether Kubernetes itself serves the group: `apps` and other words without a dot, and those of the list. */
export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || builtInGroups.has(group);
}
