// Advice for Kubernetes fields that are not properties, so that none is only "unknown". A test compares it with the schemas.

const byPatch = 'remove it; set it with a patch if you need it';
const byPriorityClass = 'use "priorityClassName"; its PriorityClass sets it';
const byBudget = 'use "podDisruptionBudget"';
const byStatefulSet = 'use type: statefulset';
const byService = 'use "service.name" for the name of the Service';
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
} as const;
