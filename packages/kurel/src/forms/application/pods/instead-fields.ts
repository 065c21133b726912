// Advice for Kubernetes fields that are not properties, so that none is only "unknown". A test compares it with the schemas.

const byPatch = 'remove it; set it with a patch if you need it';
const byPriorityClass = 'use "priorityClassName"; its PriorityClass sets it';
const byBudget = 'use "podDisruptionBudget"';
const byStatefulSet = 'use type: statefulset';
const byService = 'use "service.name" for the name of the Service';
const byClaimTemplate = 'add a claim with "size" and "mountPath" to "volumeClaimTemplates"';
const withoutDeadline = 'remove it; the pods run until they are replaced. Use type: cronjob for tasks that end';

/** Fields of pods and their main container, for all workloads. */
const insteadOfRareFields = {
  name: 'use "nameOverride"; by default, objects are named after the component',
  template: 'remove it; the properties of the component describe its pods',
  nodeName: 'use "nodeSelector", so that the scheduler chooses the node',
  nodeAffinity: 'use "affinity.nodeAffinity"',
  podAffinity: 'use "affinity.podAffinity"',
  podAntiAffinity: 'use "affinity.podAntiAffinity"',
  hostnameOverride: 'use "hostname"',
  os: 'use "nodeSelector" with kubernetes.io/os',
  overhead: 'use "runtimeClassName"; its RuntimeClass sets it',
  priority: byPriorityClass,
  preemptionPolicy: byPriorityClass,
  ephemeralContainers: 'remove it; kubectl debug adds such containers to running pods',
  evictionResponders: byPatch,
  schedulingGates: byPatch,
  schedulingGroup: byPatch,
  workloadRef: byPatch,
  restartPolicyRules: byPatch,
  volumeDevices: byPatch,
} as const;

const ofVolume = (type: string, property?: string): string =>
  `add a volume with type: ${type}${property === undefined ? '' : ` and "${property}"`} to "volumes"`;

/** Fields that have another name here. */
const insteadOfPodFields = {
  livenessProbe: 'use "probes.liveness"',
  readinessProbe: 'use "probes.readiness"',
  startupProbe: 'use "probes.startup"',
  volumeMounts: 'use "volumes", where each volume has a "mountPath"',
  storage: ofVolume('pvc', 'size'),
  persistentVolumeClaim: ofVolume('pvc', 'size'),
  hostPath: ofVolume('hostPath', 'path'),
  emptyDir: ofVolume('emptyDir'),
  configMap: ofVolume('configMap', 'configMapName'),
  secret: ofVolume('secret', 'secretName'),
  containers: 'use "sidecars" or "initContainers"; the component itself is the main container',
  fullnameOverride: 'use "nameOverride"',
  matchLabels: 'use "selectorLabels"',
  selector: 'use "selectorLabels"',
  labels: 'use "podLabels" for the pods; "labels" next to "properties" are for all objects of the component',
  annotations:
    'use "podAnnotations" for the pods; "annotations" next to "properties" are for all objects of the component',
} as const;

/** The same for components with a Service. */
const insteadOfServerFields = {
  ...insteadOfPodFields,
  containerPort: 'use "port", or "ports" for several',
  targetPort: 'use "ports", where each port has a "port" and a "servicePort"',
  servicePort: 'use "ports", where each port has a "port" and a "servicePort"',
  hostPort: 'use "hostPort" in "ports"',
  nodePort: 'use "nodePort" in "ports"',
  serviceType: 'use "service.type"',
  ingress: 'use the "expose" trait',
} as const;

const insteadOfEndless = {
  activeDeadlineSeconds: withoutDeadline,
  restartPolicy: 'remove it; Kubernetes always restarts the containers of this kind',
} as const;

const insteadOfBudget = { minAvailable: byBudget, maxUnavailable: byBudget, pdb: byBudget } as const;

export const insteadInDeployments = {
  ...insteadOfRareFields,
  ...insteadOfEndless,
  ...insteadOfBudget,
  updateStrategy: 'use "strategy"',
  paused: 'remove it; use kubectl rollout pause',
  serviceName: byService,
  ordinals: byStatefulSet,
  podManagementPolicy: byStatefulSet,
  volumeClaimTemplates: byStatefulSet,
  persistentVolumeClaimRetentionPolicy: byStatefulSet,
  ...insteadOfServerFields,
} as const;

const withoutDeployment = {
  strategy: 'use "updateStrategy"',
  progressDeadlineSeconds: 'remove it; only rollouts of a Deployment have a deadline',
  paused: 'remove it; only rollouts of a Deployment can be paused',
  topologySpread: 'use "topologySpreadConstraints"',
} as const;

export const insteadInStatefulSets = {
  ...insteadOfRareFields,
  ...insteadOfEndless,
  ...insteadOfBudget,
  ...withoutDeployment,
  hostname: 'remove it; the host name of each pod is its own name',
  hostnameOverride: 'remove it; the host name of each pod is its own name',
  subdomain: 'use "serviceName"',
  ...insteadOfServerFields,
  storage: byClaimTemplate,
  persistentVolumeClaim: byClaimTemplate,
} as const;

const withoutEviction = 'remove it; draining a node does not evict the pods of a DaemonSet';

export const insteadInDaemonSets = {
  ...insteadOfRareFields,
  ...insteadOfEndless,
  ...withoutDeployment,
  replicas: 'remove it; each node has one pod',
  serviceName: byService,
  podDisruptionBudget: withoutEviction,
  minAvailable: withoutEviction,
  pdb: withoutEviction,
  maxUnavailable: 'use "updateStrategy.rollingUpdate.maxUnavailable"',
  ...insteadOfServerFields,
} as const;

const newPods = 'remove it; each run has new pods';
const withoutService = 'remove it; a task that ends has no Service. Use type: webservice for a server';

export const insteadInJobs = {
  ...insteadOfRareFields,
  strategy: newPods,
  updateStrategy: newPods,
  podDisruptionBudget: newPods,
  replicas: newPods,
  port: withoutService,
  ports: withoutService,
  containerPort: withoutService,
  service: withoutService,
  serviceName: withoutService,
  sidecars: 'use "initContainers" with restartPolicy: Always, so that the run ends with the main container',
  topologySpread: 'use "topologySpreadConstraints"',
  managedBy: byPatch,
  scheduling: byPatch,
  manualSelector: 'remove it; it selects the pods of the component',
  jobTemplate: 'remove it; the properties of the component describe its Jobs',
  ...insteadOfPodFields,
} as const;
