/** Where kurel judges otherwise than Kubernetes' own code, and why. */
export interface Difference {
  readonly reason: string;
  readonly mutations: readonly string[];
}

export const differences: readonly Difference[] = [
  {
    reason:
      'A generation below 0, which nobody writes: the API server sets it itself for most kinds, and refuses it for the others.',
    mutations: [
      'refused: apps/v1 ControllerRevision, metadata metadata.generation: -1',
      'refused: certificates.k8s.io/v1 ClusterTrustBundle, metadata metadata.generation: -1',
      'refused: coordination.k8s.io/v1 Lease, metadata metadata.generation: -1',
      'refused: networking.k8s.io/v1 IPAddress, metadata metadata.generation: -1',
      'refused: networking.k8s.io/v1 ServiceCIDR, metadata metadata.generation: -1',
      'refused: rbac.authorization.k8s.io/v1 ClusterRole, metadata metadata.generation: -1',
      'refused: rbac.authorization.k8s.io/v1 ClusterRoleBinding, metadata metadata.generation: -1',
      'refused: resource.k8s.io/v1 ResourceClaimTemplate, metadata metadata.generation: -1',
      'refused: storage.k8s.io/v1 CSINode, metadata metadata.generation: -1',
      'refused: storage.k8s.io/v1 VolumeAttachment, metadata metadata.generation: -1',
      'refused: storage.k8s.io/v1 VolumeAttributesClass, metadata metadata.generation: -1',
      'refused: v1 Endpoints, metadata metadata.generation: -1',
      'refused: v1 Namespace, metadata metadata.generation: -1',
      'refused: v1 PersistentVolume, metadata metadata.generation: -1',
      'refused: v1 PersistentVolumeClaim, metadata metadata.generation: -1',
    ],
  },
  {
    reason: 'An annotation of the past that must be a number.',
    mutations: [
      'refused: apps/v1 DaemonSet, string metadata.annotations.deprecated.daemonset.template.generation: "1Gi"',
    ],
  },
  {
    reason: 'The types of variables in CEL are not followed into the expressions that use them.',
    mutations: [
      'refused: admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy, other word spec.variables.0.expression: "object.metadata.name != \\"\\""',
      'refused: admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy, other word spec.variables.0.expression: "true"',
    ],
  },
  {
    reason: 'What is inside of a certificate is not read.',
    mutations: [
      'refused: certificates.k8s.io/v1 ClusterTrustBundle, string spec.trustBundle: "-----BEGIN CERTIFICATE-----\\nMIIBCTCCAREGAWIBAGIUJAFVKY8ZF4…',
    ],
  },
  {
    reason:
      'An item that is null is an empty one for the API server, which lets hints go without a name; kurel reports the null.',
    mutations: [
      'taken: discovery.k8s.io/v1 EndpointSlice, list endpoints.0.hints.forZones: [{"name":"a"},null]',
      'taken: discovery.k8s.io/v1 EndpointSlice, null endpoints.0.hints.forZones.0: null',
    ],
  },
];
