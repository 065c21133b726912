// Derived from the shipped schemas by test/derive-workload-fields.ts. To write it again:
// UPDATE_CASES=1 npx vitest run packages/kurel/test/workload-fields.test.ts

/** Fields as dotted paths, separated by blanks: `spec.images[].image`. */
export interface WorkloadRow {
  /** Images outside of containers. */
  readonly images?: string;
  /** Numbers of pods. */
  readonly counts?: string;
  /** Fields that the schema says nothing about. */
  readonly open?: string;
}

/** Kinds that run something, or say how something is run, perhaps only in fields that all kinds share, such as containers. */
export const workloadTable: Readonly<Record<string, WorkloadRow>> = {
  '/PersistentVolume': {},
  '/PersistentVolumeClaim': {},
  '/Pod': {},
  '/PodTemplate': {},
  '/ReplicationController': { counts: 'spec.replicas' },
  'acme.cert-manager.io/Challenge': {},
  'apps/ControllerRevision': { open: 'data' },
  'apps/DaemonSet': {},
  'apps/Deployment': { counts: 'spec.replicas' },
  'apps/ReplicaSet': { counts: 'spec.replicas' },
  'apps/StatefulSet': { counts: 'spec.replicas' },
  'autoscaling/HorizontalPodAutoscaler': { counts: 'spec.maxReplicas' },
  'autoscaling/Scale': { counts: 'spec.replicas' },
  'barmancloud.cnpg.io/ObjectStore': {},
  'batch/CronJob': { counts: 'spec.jobTemplate.spec.parallelism' },
  'batch/Job': { counts: 'spec.parallelism' },
  'cert-manager.io/ClusterIssuer': {},
  'cert-manager.io/Issuer': {},
  'image.toolkit.fluxcd.io/ImageRepository': { images: 'spec.image' },
  'monitoring.coreos.com/Alertmanager': {
    images: 'spec.baseImage spec.image spec.volumes[].image.reference',
    counts: 'spec.replicas',
  },
  'monitoring.coreos.com/Prometheus': {
    images: 'spec.baseImage spec.image spec.thanos.baseImage spec.thanos.image spec.volumes[].image.reference',
    counts: 'spec.replicas spec.shards',
  },
  'monitoring.coreos.com/PrometheusAgent': {
    images: 'spec.image spec.volumes[].image.reference',
    counts: 'spec.replicas spec.shards',
  },
  'monitoring.coreos.com/ThanosRuler': { images: 'spec.image spec.volumes[].image.reference', counts: 'spec.replicas' },
  'postgresql.cnpg.io/Cluster': {
    images: 'spec.imageName spec.postgresql.extensions[].image.reference',
    counts: 'spec.instances',
  },
  'postgresql.cnpg.io/ClusterImageCatalog': {
    images: 'spec.componentImages[].image spec.images[].extensions[].image.reference spec.images[].image',
  },
  'postgresql.cnpg.io/ImageCatalog': {
    images: 'spec.componentImages[].image spec.images[].extensions[].image.reference spec.images[].image',
  },
  'postgresql.cnpg.io/Pooler': { images: 'spec.pgbouncer.image', counts: 'spec.instances' },
  'storage.k8s.io/VolumeAttachment': {},
  'volsync.backube/ReplicationDestination': {},
  'volsync.backube/ReplicationSource': {},
};

/** Kinds with a schema that has no such field, by group. */
export const idleKinds: Readonly<Record<string, string>> = {
  '': 'Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node ResourceQuota Secret Service ServiceAccount',
  'acme.cert-manager.io': 'Order',
  'admissionregistration.k8s.io':
    'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
  'apiextensions.k8s.io': 'CustomResourceDefinition',
  'apiregistration.k8s.io': 'APIService',
  'argoproj.io': 'AppProject Application ApplicationSet',
  'authentication.k8s.io': 'SelfSubjectReview TokenRequest TokenReview',
  'authorization.k8s.io': 'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'cert-manager.io': 'Certificate CertificateRequest',
  'certificates.k8s.io': 'CertificateSigningRequest ClusterTrustBundle PodCertificateRequest',
  'cilium.io':
    'CiliumBGPAdvertisement CiliumBGPClusterConfig CiliumBGPNodeConfig CiliumBGPNodeConfigOverride CiliumBGPPeerConfig CiliumCIDRGroup CiliumClusterwideEnvoyConfig CiliumClusterwideNetworkPolicy CiliumDatapathPlugin CiliumEgressGatewayPolicy CiliumEndpoint CiliumEndpointSlice CiliumEnvoyConfig CiliumGatewayClassConfig CiliumIdentity CiliumL2AnnouncementPolicy CiliumLoadBalancerIPPool CiliumLocalRedirectPolicy CiliumNetworkPolicy CiliumNode CiliumNodeConfig CiliumPodIPPool',
  'coordination.k8s.io': 'Lease LeaseCandidate',
  'discovery.k8s.io': 'EndpointSlice',
  'events.k8s.io': 'Event',
  'external-secrets.io':
    'ClusterExternalSecret ClusterPushSecret ClusterSecretStore ExternalSecret PushSecret SecretStore',
  'flowcontrol.apiserver.k8s.io': 'FlowSchema PriorityLevelConfiguration',
  'gateway.networking.k8s.io':
    'BackendTLSPolicy GRPCRoute Gateway GatewayClass HTTPRoute ListenerSet ReferenceGrant TCPRoute TLSRoute UDPRoute',
  'gateway.networking.x-k8s.io': 'XBackend XBackendTrafficPolicy XMesh XTelemetryPolicy',
  'generators.external-secrets.io':
    'ACRAccessToken CloudsmithAccessToken ClusterGenerator ECRAuthorizationToken Fake GCRAccessToken GeneratorState GithubAccessToken Grafana MFA Password QuayAccessToken SSHKey STSSessionToken UUID VaultDynamicSecret Webhook',
  'helm.toolkit.fluxcd.io': 'HelmRelease',
  'image.toolkit.fluxcd.io': 'ImagePolicy ImageUpdateAutomation',
  'internal.apiserver.k8s.io': 'StorageVersion',
  'kustomize.toolkit.fluxcd.io': 'Kustomization',
  'lifecycle.k8s.io': 'Eviction EvictionRequest',
  'metallb.io': 'BFDProfile BGPAdvertisement BGPPeer Community IPAddressPool L2Advertisement',
  'monitoring.coreos.com': 'AlertmanagerConfig PodMonitor Probe PrometheusRule ScrapeConfig ServiceMonitor',
  'networking.k8s.io': 'IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR',
  'node.k8s.io': 'RuntimeClass',
  'notification.toolkit.fluxcd.io': 'Alert Provider Receiver',
  policy: 'Eviction PodDisruptionBudget',
  'postgresql.cnpg.io': 'Backup Database DatabaseRole FailoverQuorum Publication ScheduledBackup Subscription',
  'rbac.authorization.k8s.io': 'ClusterRole ClusterRoleBinding Role RoleBinding',
  'resource.k8s.io':
    'DeviceClass DeviceTaintRule PodSchedulingContext ResourceClaim ResourceClaimTemplate ResourcePoolStatusRequest ResourceSlice',
  'scheduling.k8s.io': 'CompositePodGroup PodGroup PriorityClass Workload',
  'source.toolkit.fluxcd.io': 'Bucket ExternalArtifact GitRepository HelmChart HelmRepository OCIRepository',
  'storage.k8s.io': 'CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttributesClass',
  'storagemigration.k8s.io': 'StorageVersionMigration',
};
