/** For each group its kinds by scope, parted by blanks. */
export type KindTable = Readonly<Record<string, { readonly cluster?: string; readonly namespaced?: string }>>;

/** Everything Kubernetes serves itself up to 1.37, with what older versions served. */
export const builtInKinds: KindTable = {
  '': {
    cluster: 'ComponentStatus Namespace Node PersistentVolume',
    namespaced:
      'Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
  },
  'admissionregistration.k8s.io': {
    cluster:
      'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
  },
  'apiextensions.k8s.io': { cluster: 'CustomResourceDefinition' },
  'apiregistration.k8s.io': { cluster: 'APIService' },
  apps: { namespaced: 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet' },
  'auditregistration.k8s.io': { cluster: 'AuditSink' },
  'authentication.k8s.io': { cluster: 'SelfSubjectReview TokenReview' },
  'authorization.k8s.io': {
    cluster: 'SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
    namespaced: 'LocalSubjectAccessReview',
  },
  autoscaling: { namespaced: 'HorizontalPodAutoscaler' },
  batch: { namespaced: 'CronJob Job' },
  'certificates.k8s.io': {
    cluster: 'CertificateSigningRequest ClusterTrustBundle',
    namespaced: 'PodCertificateRequest',
  },
  'coordination.k8s.io': { namespaced: 'Lease LeaseCandidate' },
  'discovery.k8s.io': { namespaced: 'EndpointSlice' },
  'events.k8s.io': { namespaced: 'Event' },
  extensions: {
    cluster: 'PodSecurityPolicy',
    namespaced: 'DaemonSet Deployment Ingress NetworkPolicy ReplicaSet',
  },
  'flowcontrol.apiserver.k8s.io': { cluster: 'FlowSchema PriorityLevelConfiguration' },
  'imagepolicy.k8s.io': { cluster: 'ImageReview' },
  'internal.apiserver.k8s.io': { cluster: 'StorageVersion' },
  'lifecycle.k8s.io': { namespaced: 'Eviction EvictionRequest' },
  'networking.k8s.io': {
    cluster: 'ClusterCIDR IPAddress IngressClass ServiceCIDR',
    namespaced: 'Ingress NetworkPolicy',
  },
  'node.k8s.io': { cluster: 'RuntimeClass' },
  policy: { cluster: 'PodSecurityPolicy', namespaced: 'Eviction PodDisruptionBudget' },
  'rbac.authorization.k8s.io': { cluster: 'ClusterRole ClusterRoleBinding', namespaced: 'Role RoleBinding' },
  'resource.k8s.io': {
    cluster: 'DeviceClass DeviceTaintRule ResourceClass ResourcePoolStatusRequest ResourceSlice',
    namespaced:
      'PodSchedulingContext ResourceClaim ResourceClaimParameters ResourceClaimTemplate ResourceClassParameters',
  },
  'scheduling.k8s.io': { cluster: 'PriorityClass', namespaced: 'CompositePodGroup PodGroup Workload' },
  'settings.k8s.io': { namespaced: 'PodPreset' },
  'storage.k8s.io': {
    cluster: 'CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass',
    namespaced: 'CSIStorageCapacity',
  },
  'storagemigration.k8s.io': { cluster: 'StorageVersionMigration' },
};

/** Custom kinds that many packages use, from the projects' own definitions. */
export const wellKnownKinds: KindTable = {
  'acme.cert-manager.io': { namespaced: 'Challenge Order' },
  'argoproj.io': {
    cluster: 'ClusterAnalysisTemplate ClusterWorkflowTemplate',
    namespaced:
      'AppProject Application ApplicationSet CronWorkflow Rollout Workflow WorkflowEventBinding WorkflowTemplate',
  },
  'barmancloud.cnpg.io': { namespaced: 'ObjectStore' },
  'bitnami.com': { namespaced: 'SealedSecret' },
  'cert-manager.io': { cluster: 'ClusterIssuer', namespaced: 'Certificate CertificateRequest Issuer' },
  'cilium.io': {
    cluster:
      'CiliumBGPAdvertisement CiliumBGPClusterConfig CiliumBGPNodeConfig CiliumBGPNodeConfigOverride CiliumBGPPeerConfig CiliumBGPPeeringPolicy CiliumCIDRGroup CiliumClusterwideEnvoyConfig CiliumClusterwideNetworkPolicy CiliumDatapathPlugin CiliumEgressGatewayPolicy CiliumEndpointSlice CiliumExternalWorkload CiliumIdentity CiliumL2AnnouncementPolicy CiliumLoadBalancerIPPool CiliumNode CiliumPodIPPool',
    namespaced:
      'CiliumEndpoint CiliumEnvoyConfig CiliumGatewayClassConfig CiliumLocalRedirectPolicy CiliumNetworkPolicy CiliumNodeConfig',
  },
  'external-secrets.io': {
    cluster: 'ClusterExternalSecret ClusterPushSecret ClusterSecretStore',
    namespaced: 'ExternalSecret PushSecret SecretStore',
  },
  'gateway.networking.k8s.io': {
    cluster: 'GatewayClass',
    namespaced:
      'BackendLBPolicy BackendTLSPolicy GRPCRoute Gateway HTTPRoute ListenerSet ReferenceGrant TCPRoute TLSRoute UDPRoute',
  },
  'gateway.networking.x-k8s.io': {
    cluster: 'XMesh',
    namespaced: 'XBackend XBackendTrafficPolicy XListenerSet XTelemetryPolicy',
  },
  'generators.external-secrets.io': {
    cluster: 'ClusterGenerator',
    namespaced:
      'ACRAccessToken CloudsmithAccessToken ECRAuthorizationToken Fake GCRAccessToken GeneratorState GithubAccessToken Grafana MFA Password QuayAccessToken SSHKey STSSessionToken UUID VaultDynamicSecret Webhook',
  },
  'helm.toolkit.fluxcd.io': { namespaced: 'HelmRelease' },
  'image.toolkit.fluxcd.io': { namespaced: 'ImagePolicy ImageRepository ImageUpdateAutomation' },
  'karpenter.sh': { cluster: 'NodeClaim NodePool' },
  'keda.sh': { cluster: 'ClusterTriggerAuthentication', namespaced: 'ScaledJob ScaledObject TriggerAuthentication' },
  'kustomize.toolkit.fluxcd.io': { namespaced: 'Kustomization' },
  'kyverno.io': { cluster: 'ClusterCleanupPolicy ClusterPolicy', namespaced: 'CleanupPolicy Policy PolicyException' },
  'metallb.io': {
    namespaced:
      'AddressPool BFDProfile BGPAdvertisement BGPPeer Community ConfigurationState IPAddressPool L2Advertisement ServiceBGPStatus ServiceL2Status',
  },
  'metrics.k8s.io': { cluster: 'NodeMetrics', namespaced: 'PodMetrics' },
  'monitoring.coreos.com': {
    namespaced:
      'Alertmanager AlertmanagerConfig PodMonitor Probe Prometheus PrometheusAgent PrometheusRule ScrapeConfig ServiceMonitor ThanosRuler',
  },
  'notification.toolkit.fluxcd.io': { namespaced: 'Alert Provider Receiver' },
  'policy.networking.k8s.io': { cluster: 'AdminNetworkPolicy BaselineAdminNetworkPolicy ClusterNetworkPolicy' },
  'postgresql.cnpg.io': {
    cluster: 'ClusterImageCatalog',
    namespaced: 'Backup Cluster Database FailoverQuorum ImageCatalog Pooler Publication ScheduledBackup Subscription',
  },
  'snapshot.storage.k8s.io': { cluster: 'VolumeSnapshotClass VolumeSnapshotContent', namespaced: 'VolumeSnapshot' },
  'source.toolkit.fluxcd.io': {
    namespaced: 'Bucket ExternalArtifact GitRepository HelmChart HelmRepository OCIRepository',
  },
  'volsync.backube': { namespaced: 'ReplicationDestination ReplicationSource' },
};
