import { podSecurityLevels } from '../kube/index.ts';
import { choiceField, countField, flagField } from './define-fields.ts';
import type { Field, Fields } from './field.ts';

const quantity = { type: 'quantity' } as const satisfies Field;
/** A rule without a value, perhaps because its lines are comments, could mean that all are allowed or none. So could an empty list. */
const rule = { nullable: false } as const;
const list = { type: 'array', ...rule } as const;
const types = { ...list, items: { type: 'string', format: 'dns-label' } } as const satisfies Field;

const kinds = { ...list, items: { type: 'string', format: 'kind' } } as const satisfies Field;
const groups = { ...list, items: { type: 'string', format: 'dns-subdomain' } } as const satisfies Field;
const registries = {
  ...list,
  minItems: 1,
  items: { type: 'string', format: 'registry' },
} as const satisfies Field;

/** The rules of a policy, whether of the platform or of an application. */
export const policyFields = {
  enforced: {
    type: 'object',
    description: 'Limits.',
    default: {},
    properties: {
      maxReplicas: {
        ...countField('Maximum number of replicas of a workload, including those under an autoscaler.'),
        ...rule,
        minimum: 1,
      },
      maxCPU: { ...quantity, ...rule, description: 'Maximum CPU request and limit of a container.' },
      maxMemory: { ...quantity, ...rule, description: 'Maximum memory request and limit of a container.' },
      maxStorageSize: { ...quantity, ...rule, description: 'Maximum storage size of a volume.' },
      allowedRegistries: {
        ...registries,
        description: 'Allowed image registries, or paths in them. Defaults to any.',
      },
      allowedSources: {
        ...registries,
        description:
          'Allowed hosts, or paths on them, for Flux and Argo CD sources and for URLs of components. Defaults to allowedRegistries.',
      },
    },
  },
  defaults: {
    type: 'object',
    description: 'Defaults for properties that an application does not set.',
    default: {},
    properties: {
      replicas: countField('Number of replicas.'),
      cpuRequest: { ...quantity, description: 'CPU request of a container.' },
      memoryRequest: { ...quantity, description: 'Memory request of a container.' },
      cpuLimit: { ...quantity, description: 'CPU limit of a container.' },
      memoryLimit: { ...quantity, description: 'Memory limit of a container.' },
      storageSize: { ...quantity, description: 'Storage size of a claim of the pvc trait.' },
      scalerMinReplicas: { ...countField('Minimum number of replicas under an autoscaler.'), minimum: 1 },
      scalerMaxReplicas: { ...countField('Maximum number of replicas under an autoscaler.'), minimum: 1 },
    },
  },
  security: {
    type: 'object',
    description: 'Permissions that reach beyond a pod or its namespace.',
    default: {},
    properties: {
      level: choiceField(
        podSecurityLevels,
        'Level of the Pod Security Standards. It sets the rules from allowPrivileged to allowedVolumeTypes that the policy does not set.',
      ),
      allowPrivileged: flagField('Whether containers may be privileged, or HostProcess containers of Windows.'),
      allowHostNetwork: flagField('Whether pods may use the host network and host ports.'),
      allowHostPID: flagField('Whether pods may use the host PID namespace.'),
      allowHostIPC: flagField('Whether pods may use the host IPC namespace.'),
      allowHostPathVolumes: flagField('Whether pods may mount hostPath volumes.'),
      allowUnconfined: flagField(
        'Whether pods and containers may use seccomp and AppArmor profiles other than RuntimeDefault and Localhost.',
      ),
      allowSELinuxOptions: flagField('Whether pods and containers may set SELinux users, roles and unusual types.'),
      allowProcMount: flagField('Whether containers may mount /proc unmasked.'),
      allowProbeHosts: flagField('Whether probes and lifecycle handlers may connect to a host other than their pod.'),
      allowedCapabilities: {
        ...list,
        description: 'Linux capabilities that containers may add. ALL allows any.',
        items: { type: 'string', format: 'capability' },
      },
      allowedSysctls: {
        ...list,
        description: 'Kernel parameters that pods may set.',
        items: { type: 'string', format: 'sysctl' },
      },
      allowRunAsRoot: flagField('Whether containers may run as root. If not, runAsNonRoot must be true.'),
      allowPrivilegeEscalation: flagField(
        'Whether a process may gain more privileges than its parent. If not, allowPrivilegeEscalation of every container must be false.',
      ),
      allowMissingSeccompProfile: flagField('Whether containers may have no seccomp profile.'),
      allowDefaultCapabilities: flagField(
        'Whether containers may keep the default capabilities. If not, every container must drop ALL.',
      ),
      allowedVolumeTypes: {
        ...list,
        description:
          'Types of volumes that pods may use, such as configMap. allowHostPathVolumes decides about hostPath.',
        items: { type: 'string', format: 'filled' },
      },
      allowWildcardRoles: flagField('Whether roles may have "*" in their rules.'),
      allowEscalatingVerbs: flagField('Whether roles may grant the verbs escalate, bind and impersonate.'),
      allowClusterAdmin: flagField('Whether the cluster-admin role may be bound.'),
      allowForeignBindings: flagField(
        'Whether permissions may reach beyond a namespace: through a ClusterRoleBinding, subjects of another namespace, or aggregation.',
      ),
      allowWebhooks: flagField('Whether webhooks, admission policies and API services may be installed.'),
      allowTokenRequests: flagField('Whether roles may allow creating tokens of service accounts. Defaults to true.'),
      allowPodExec: flagField(
        'Whether roles may allow pods/exec, attach, portforward, proxy and ephemeralcontainers. Defaults to true.',
      ),
      allowNodeProxy: flagField('Whether roles may allow nodes/proxy. Defaults to true.'),
      allowSecretReads: flagField('Whether roles may allow reading Secrets that they do not name. Defaults to true.'),
      allowCertificateApproval: flagField(
        'Whether roles may allow approving and signing certificates. Defaults to true.',
      ),
      allowExternalIPs: flagField('Whether Services may have externalIPs. Defaults to true.'),
      allowExternalNames: flagField('Whether Services may be of type ExternalName. Defaults to true.'),
      allowLinkLocalProbes: flagField(
        'Whether probes and lifecycle handlers that may connect to hosts may connect to link-local addresses, such as metadata services. Defaults to true.',
      ),
      allowUnlimitedMemoryVolumes: flagField(
        'Whether emptyDir volumes in memory may have no sizeLimit. Defaults to true.',
      ),
    },
  },
  objects: {
    type: 'object',
    description: 'Rules about the objects of a build.',
    default: {},
    properties: {
      allowedKinds: {
        ...kinds,
        description: 'Allowed kinds, such as Deployment or apps/Deployment. Defaults to any.',
        minItems: 1,
      },
      forbiddenKinds: { ...kinds, description: 'Forbidden kinds.' },
      allowedGroups: {
        ...groups,
        description: 'Allowed API groups; core is the group of Pod. Defaults to any.',
        minItems: 1,
      },
      forbiddenGroups: { ...groups, description: 'Forbidden API groups.' },
      allowedNamespaces: {
        ...list,
        description: 'Allowed namespaces. If set, objects without a namespace are rejected. Defaults to any.',
        minItems: 1,
        items: { type: 'string', format: 'dns-label' },
      },
      namespacedOnly: flagField('Whether cluster-scoped objects are rejected.'),
    },
  },
  components: {
    type: 'object',
    description: 'Rules about the components of an application.',
    default: {},
    properties: {
      allowed: { ...types, description: 'Allowed component types. Defaults to any.', minItems: 1 },
      forbidden: { ...types, description: 'Forbidden component types.' },
    },
  },
  capabilities: {
    type: 'object',
    description: 'Rules about the traits of an application.',
    default: {},
    properties: {
      allowed: { ...types, description: 'Allowed traits. Defaults to any.', minItems: 1 },
      forbidden: { ...types, description: 'Forbidden traits.' },
      required: { ...types, description: 'Traits that at least one component must have.' },
    },
  },
  placement: {
    type: 'object',
    description: 'Rules about where pods run. Has no effect.',
    open: { type: 'any' },
  },
} as const satisfies Fields;
