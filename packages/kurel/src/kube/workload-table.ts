// Derived from the shipped schemas by test/derive-workload-fields.ts. To write it again:
// UPDATE_CASES=1 npx vitest run packages/kurel/test/workload-fields.test.ts

/** Fields as dotted paths, separated by blanks: `spec.images[].image`. */
export interface WorkloadRow {
  /** Objects with lists of containers. */
  readonly pods?: string;
  /** Containers outside of such lists. */
  readonly containers?: string;
  /** Images outside of containers. */
  readonly images?: string;
  /** Numbers of pods. */
  readonly counts?: string;
  /** Requests and limits outside of containers. */
  readonly amounts?: string;
  /** Security contexts outside of pods. */
  readonly contexts?: string;
  /** Paths of the node outside of pods. */
  readonly nodePaths?: string;
  /** Fields that the schema says nothing about. */
  readonly open?: string;
}

/** Kinds that run something, or say how something is run. */
export const workloadTable: Readonly<Record<string, WorkloadRow>> = {
  '/PersistentVolume': { nodePaths: 'spec.hostPath' },
  '/PersistentVolumeClaim': { amounts: 'spec.resources' },
  '/Pod': { pods: 'spec' },
  '/PodTemplate': { pods: 'template.spec' },
  '/ReplicationController': { pods: 'spec.template.spec', counts: 'spec.replicas' },
  'acme.cert-manager.io/Challenge': {
    amounts:
      'spec.solver.http01.gatewayHTTPRoute.podTemplate.spec.resources spec.solver.http01.ingress.podTemplate.spec.resources',
    contexts:
      'spec.solver.http01.gatewayHTTPRoute.podTemplate.spec.securityContext spec.solver.http01.ingress.podTemplate.spec.securityContext',
  },
  'apps/ControllerRevision': { open: 'data' },
  'apps/DaemonSet': { pods: 'spec.template.spec' },
  'apps/Deployment': { pods: 'spec.template.spec', counts: 'spec.replicas' },
  'apps/ReplicaSet': { pods: 'spec.template.spec', counts: 'spec.replicas' },
  'apps/StatefulSet': {
    pods: 'spec.template.spec',
    counts: 'spec.replicas',
    amounts: 'spec.volumeClaimTemplates[].spec.resources',
  },
  'autoscaling/HorizontalPodAutoscaler': { counts: 'spec.maxReplicas' },
  'autoscaling/Scale': { counts: 'spec.replicas' },
  'barmancloud.cnpg.io/ObjectStore': { amounts: 'spec.instanceSidecarConfiguration.resources' },
  'batch/CronJob': { pods: 'spec.jobTemplate.spec.template.spec', counts: 'spec.jobTemplate.spec.parallelism' },
  'batch/Job': { pods: 'spec.template.spec', counts: 'spec.parallelism' },
  'cert-manager.io/ClusterIssuer': {
    amounts:
      'spec.acme.solvers[].http01.gatewayHTTPRoute.podTemplate.spec.resources spec.acme.solvers[].http01.ingress.podTemplate.spec.resources',
    contexts:
      'spec.acme.solvers[].http01.gatewayHTTPRoute.podTemplate.spec.securityContext spec.acme.solvers[].http01.ingress.podTemplate.spec.securityContext',
  },
  'cert-manager.io/Issuer': {
    amounts:
      'spec.acme.solvers[].http01.gatewayHTTPRoute.podTemplate.spec.resources spec.acme.solvers[].http01.ingress.podTemplate.spec.resources',
    contexts:
      'spec.acme.solvers[].http01.gatewayHTTPRoute.podTemplate.spec.securityContext spec.acme.solvers[].http01.ingress.podTemplate.spec.securityContext',
  },
  'image.toolkit.fluxcd.io/ImageRepository': { images: 'spec.image' },
  'monitoring.coreos.com/Alertmanager': {
    pods: 'spec',
    images: 'spec.baseImage spec.image spec.volumes[].image.reference',
    counts: 'spec.replicas',
    amounts:
      'spec.resources spec.storage.ephemeral.volumeClaimTemplate.spec.resources spec.storage.volumeClaimTemplate.spec.resources spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources',
    contexts: 'spec.securityContext',
    nodePaths: 'spec.volumes[].hostPath',
  },
  'monitoring.coreos.com/Prometheus': {
    pods: 'spec',
    images: 'spec.baseImage spec.image spec.thanos.baseImage spec.thanos.image spec.volumes[].image.reference',
    counts: 'spec.replicas spec.shards',
    amounts:
      'spec.resources spec.storage.ephemeral.volumeClaimTemplate.spec.resources spec.storage.volumeClaimTemplate.spec.resources spec.thanos.resources spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources',
    contexts: 'spec.securityContext',
    nodePaths: 'spec.volumes[].hostPath',
  },
  'monitoring.coreos.com/PrometheusAgent': {
    pods: 'spec',
    images: 'spec.image spec.volumes[].image.reference',
    counts: 'spec.replicas spec.shards',
    amounts:
      'spec.resources spec.storage.ephemeral.volumeClaimTemplate.spec.resources spec.storage.volumeClaimTemplate.spec.resources spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources',
    contexts: 'spec.securityContext',
    nodePaths: 'spec.volumes[].hostPath',
  },
  'monitoring.coreos.com/ThanosRuler': {
    pods: 'spec',
    images: 'spec.image spec.volumes[].image.reference',
    counts: 'spec.replicas',
    amounts:
      'spec.resources spec.storage.ephemeral.volumeClaimTemplate.spec.resources spec.storage.volumeClaimTemplate.spec.resources spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources',
    contexts: 'spec.securityContext',
    nodePaths: 'spec.volumes[].hostPath',
  },
  'postgresql.cnpg.io/Cluster': {
    images: 'spec.imageName spec.postgresql.extensions[].image.reference',
    counts: 'spec.instances',
    amounts:
      'spec.ephemeralVolumeSource.volumeClaimTemplate.spec.resources spec.resources spec.storage.pvcTemplate.resources spec.tablespaces[].storage.pvcTemplate.resources spec.walStorage.pvcTemplate.resources',
    contexts: 'spec.podSecurityContext spec.securityContext',
  },
  'postgresql.cnpg.io/ClusterImageCatalog': {
    images: 'spec.componentImages[].image spec.images[].extensions[].image.reference spec.images[].image',
  },
  'postgresql.cnpg.io/ImageCatalog': {
    images: 'spec.componentImages[].image spec.images[].extensions[].image.reference spec.images[].image',
  },
  'postgresql.cnpg.io/Pooler': { pods: 'spec.template.spec', images: 'spec.pgbouncer.image', counts: 'spec.instances' },
  'storage.k8s.io/VolumeAttachment': { nodePaths: 'spec.source.inlineVolumeSpec.hostPath' },
  'volsync.backube/ReplicationDestination': {
    contexts: 'spec.rclone.moverSecurityContext spec.restic.moverSecurityContext spec.rsyncTLS.moverSecurityContext',
  },
  'volsync.backube/ReplicationSource': {
    contexts:
      'spec.rclone.moverSecurityContext spec.restic.moverSecurityContext spec.rsyncTLS.moverSecurityContext spec.syncthing.moverSecurityContext',
  },
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
