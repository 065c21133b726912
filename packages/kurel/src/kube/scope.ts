import type { GroupVersionKind, KubeObject } from '../model/index.ts';
import { gvkOf, isOfKind } from './identity.ts';
import { kindsNamed } from './object-name.ts';
import { textAt, mappingAt } from './metadata.ts';
import { getOrAdd } from '../budget/index.ts';

/** The kinds of each group by scope, separated by blanks. */
type KindTable = Readonly<Record<string, { readonly cluster?: string; readonly namespaced?: string }>>;

/** All kinds that Kubernetes serves up to 1.37, including those of older versions. */
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
  'authentication.k8s.io': { cluster: 'SelfSubjectReview TokenReview', namespaced: 'TokenRequest' },
  'authorization.k8s.io': {
    cluster: 'SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
    namespaced: 'LocalSubjectAccessReview',
  },
  autoscaling: { namespaced: 'HorizontalPodAutoscaler Scale' },
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

/**
 * Whether Kubernetes itself serves the group: `apps` and other names without a dot, and those in the table. Groups in .k8s.io that are
 * CRDs, such as gateway.networking.k8s.io, look the same.
 */
export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || Object.hasOwn(builtInKinds, group);
}

/** Custom kinds that many packages use, from the definitions of their projects. */
export const wellKnownKinds: KindTable = {
  'acme.cert-manager.io': { namespaced: 'Challenge Order' },
  'argoproj.io': {
    cluster: 'ClusterAnalysisTemplate ClusterWorkflowTemplate',
    namespaced:
      'AnalysisRun AnalysisTemplate AppProject Application ApplicationSet CronWorkflow EventBus EventSource Experiment Rollout Sensor Workflow WorkflowEventBinding WorkflowTemplate',
  },
  'autoscaling.k8s.io': { namespaced: 'VerticalPodAutoscaler VerticalPodAutoscalerCheckpoint' },
  'barmancloud.cnpg.io': { namespaced: 'ObjectStore' },
  'bitnami.com': { namespaced: 'SealedSecret' },
  'cert-manager.io': { cluster: 'ClusterIssuer', namespaced: 'Certificate CertificateRequest Issuer' },
  'cilium.io': {
    cluster:
      'CiliumBGPAdvertisement CiliumBGPClusterConfig CiliumBGPNodeConfig CiliumBGPNodeConfigOverride CiliumBGPPeerConfig CiliumBGPPeeringPolicy CiliumCIDRGroup CiliumClusterwideEnvoyConfig CiliumClusterwideNetworkPolicy CiliumDatapathPlugin CiliumEgressGatewayPolicy CiliumEndpointSlice CiliumExternalWorkload CiliumIdentity CiliumL2AnnouncementPolicy CiliumLoadBalancerIPPool CiliumNode CiliumPodIPPool',
    namespaced:
      'CiliumEndpoint CiliumEnvoyConfig CiliumGatewayClassConfig CiliumLocalRedirectPolicy CiliumNetworkPolicy CiliumNodeConfig',
  },
  'extensions.istio.io': { namespaced: 'WasmPlugin' },
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
  'networking.istio.io': {
    namespaced:
      'DestinationRule EnvoyFilter Gateway ProxyConfig ServiceEntry Sidecar VirtualService WorkloadEntry WorkloadGroup',
  },
  'notification.toolkit.fluxcd.io': { namespaced: 'Alert Provider Receiver' },
  'opentelemetry.io': { namespaced: 'Instrumentation OpenTelemetryCollector' },
  'policy.networking.k8s.io': { cluster: 'AdminNetworkPolicy BaselineAdminNetworkPolicy ClusterNetworkPolicy' },
  'postgresql.cnpg.io': {
    cluster: 'ClusterImageCatalog',
    namespaced:
      'Backup Cluster Database DatabaseRole FailoverQuorum ImageCatalog Pooler Publication ScheduledBackup Subscription',
  },
  'secrets-store.csi.x-k8s.io': { namespaced: 'SecretProviderClass SecretProviderClassPodStatus' },
  'security.istio.io': { namespaced: 'AuthorizationPolicy PeerAuthentication RequestAuthentication' },
  'serving.knative.dev': { namespaced: 'Configuration DomainMapping Revision Route Service' },
  'snapshot.storage.k8s.io': { cluster: 'VolumeSnapshotClass VolumeSnapshotContent', namespaced: 'VolumeSnapshot' },
  'source.toolkit.fluxcd.io': {
    namespaced: 'Bucket ExternalArtifact GitRepository HelmChart HelmRepository OCIRepository',
  },
  'telemetry.istio.io': { namespaced: 'Telemetry' },
  'templates.gatekeeper.sh': { cluster: 'ConstraintTemplate' },
  'traefik.io': {
    namespaced:
      'IngressRoute IngressRouteTCP IngressRouteUDP Middleware MiddlewareTCP ServersTransport ServersTransportTCP TLSOption TLSStore TraefikService',
  },
  'trust.cert-manager.io': { cluster: 'Bundle' },
  'velero.io': {
    namespaced:
      'Backup BackupRepository BackupStorageLocation DeleteBackupRequest DownloadRequest PodVolumeBackup PodVolumeRestore Restore Schedule ServerStatusRequest VolumeSnapshotLocation',
  },
  'volsync.backube': { namespaced: 'ReplicationDestination ReplicationSource' },
};

export type Scope = 'Namespaced' | 'Cluster';

type Scopes = ReadonlyMap<string, Scope>;

/**
 * Whether objects of the kind are namespaced; `undefined` for kinds that are neither in the table nor in one of the given
 * CustomResourceDefinitions. Other objects in `definitions` are ignored.
 */
export function scopeOf(
  kind: Pick<GroupVersionKind, 'group' | 'kind'>,
  definitions?: readonly KubeObject[],
): Scope | undefined {
  const defined = definitions === undefined ? undefined : definedScopes(definitions).get(keyOf(kind));
  return defined ?? knownScopes(kind.group)?.get(kind.kind);
}

/** Whether the kind of an object is known to live outside namespaces. */
export function isClusterScoped(object: KubeObject, definitions?: readonly KubeObject[]): boolean {
  const kind = gvkOf(object);
  return kind !== undefined && scopeOf(kind, definitions) === 'Cluster';
}

function keyOf({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

const tables: readonly KindTable[] = [builtInKinds, wellKnownKinds];
const scopes = new Map<string, ReadonlyMap<string, Scope>>();

/** The scopes of the kinds of one group. Built on first use, because a build has objects of few groups. */
function knownScopes(group: string): ReadonlyMap<string, Scope> | undefined {
  const table = tables.find((each) => Object.hasOwn(each, group));
  return table && getOrAdd(scopes, group, () => new Map(listScopes(table[group]!)));
}

let knownNames: ReadonlySet<string> | undefined;

/** Whether a word names a kind of the table, in any notation that users know. */
export function isKnownKind(word: string): boolean {
  knownNames ??= new Set(
    tables.flatMap((table) => Object.values(table).flatMap(listScopes)).map(([kind]) => kind.toLowerCase()),
  );
  return kindsNamed(word).some((kind) => knownNames!.has(kind));
}

function listScopes({ cluster, namespaced }: KindTable[string]): readonly (readonly [string, Scope])[] {
  const kindsOf = (kinds: string | undefined): readonly string[] => kinds?.split(' ') ?? [];
  return [
    ...kindsOf(cluster).map((kind) => [kind, 'Cluster'] as const),
    ...kindsOf(namespaced).map((kind) => [kind, 'Namespaced'] as const),
  ];
}

// The same list of definitions is used for every object of a build.
const read = new WeakMap<readonly KubeObject[], Scopes>();

function definedScopes(definitions: readonly KubeObject[]): Scopes {
  return getOrAdd(read, definitions, () => {
    const defined = definitions.map(scopeDefinedBy).filter((kind) => kind !== undefined);
    return new Map(defined.map((kind) => [keyOf(kind), kind.scope]));
  });
}

/** The kind that a CustomResourceDefinition defines; `undefined` for other objects. */
export function kindDefinedBy(object: KubeObject): Pick<GroupVersionKind, 'group' | 'kind'> | undefined {
  if (!isOfKind(object, { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' })) return undefined;
  const group = textAt(object['spec'], 'group');
  const kind = textAt(mappingAt(object['spec'], 'names'), 'kind');
  return group === undefined || kind === undefined ? undefined : { group, kind };
}

/** The same with its scope; `undefined` for a definition that no API server accepts. */
export function scopeDefinedBy(object: KubeObject): { group: string; kind: string; scope: Scope } | undefined {
  const defined = kindDefinedBy(object);
  const scope = textAt(object['spec'], 'scope');
  // API servers do not let a definition change the kinds of Kubernetes itself.
  if (defined === undefined || isBuiltInGroup(defined.group)) return undefined;
  return scope === 'Namespaced' || scope === 'Cluster' ? { ...defined, scope } : undefined;
}
