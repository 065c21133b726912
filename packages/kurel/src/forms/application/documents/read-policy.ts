import { isJsonObject } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import { baselineCapabilities } from '../../../validate/index.ts';
import { createTraitCheck } from './read-application-document.ts';
import type { PlatformOptions } from './read-application-document.ts';
import { checkContradictions } from './check-contradictions.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import { createFindings } from './findings.ts';
import type { Findings } from './findings.ts';
import { documentProblems } from './problems.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';
import { collectField } from './read-field.ts';
import { listAt, valueAt } from './value-at.ts';

const largestCount = 2_147_483_647;
const count = { type: 'integer', minimum: 0, maximum: largestCount } as const satisfies Field;
const positive = { type: 'integer', minimum: 1, maximum: largestCount } as const satisfies Field;
const quantity = { type: 'quantity' } as const satisfies Field;
const permission = { type: 'boolean' } as const satisfies Field;
const traits = { type: 'array', items: { type: 'string', format: 'dns-label' } } as const satisfies Field;

const kinds = { type: 'array', items: { type: 'string', format: 'kind' } } as const satisfies Field;
const groups = { type: 'array', items: { type: 'string', format: 'dns-subdomain' } } as const satisfies Field;

const metadata = {
  type: 'object',
  description: 'a mapping with the name of the policy',
  required: true,
  properties: {
    name: { type: 'string', description: 'what the policy is called', required: true, format: 'dns-subdomain' },
  },
} as const satisfies Field;

/** What a policy may say, of a platform and of an application. */
export const policyFields = {
  enforced: {
    type: 'object',
    description: 'what nothing may exceed',
    default: {},
    properties: {
      maxReplicas: { ...positive, description: 'most pods of one workload, also under an autoscaler' },
      maxCPU: { ...quantity, description: 'most CPU that a container may request or be limited to' },
      maxMemory: { ...quantity, description: 'most memory that a container may request or be limited to' },
      maxStorageSize: { ...quantity, description: 'most storage of one volume' },
      // An empty list could mean that all are allowed or that none is, so it is refused.
      allowedRegistries: {
        type: 'array',
        description: 'registries that images may come from, or paths in them; defaults to any',
        minItems: 1,
        items: { type: 'string', format: 'registry' },
      },
      allowedSources: {
        type: 'array',
        description:
          'hosts, or paths below them, that sources of Flux and Argo CD and URLs of components may name; defaults to allowedRegistries',
        minItems: 1,
        items: { type: 'string', format: 'registry' },
      },
    },
  },
  defaults: {
    type: 'object',
    description: 'what is taken where an author says nothing',
    default: {},
    properties: {
      replicas: { ...count, description: 'number of pods' },
      cpuRequest: { ...quantity, description: 'CPU that a container requests' },
      memoryRequest: { ...quantity, description: 'memory that a container requests' },
      cpuLimit: { ...quantity, description: 'CPU that a container is limited to' },
      memoryLimit: { ...quantity, description: 'memory that a container is limited to' },
      storageSize: { ...quantity, description: 'storage of a claim of the trait pvc' },
      scalerMinReplicas: { ...positive, description: 'fewest pods under an autoscaler' },
      scalerMaxReplicas: { ...positive, description: 'most pods under an autoscaler' },
    },
  },
  security: {
    type: 'object',
    description: 'what may reach beyond a pod or beyond its namespace',
    default: {},
    properties: {
      allowHostNetwork: { ...permission, description: 'whether pods may use the network and the ports of their node' },
      allowPrivileged: { ...permission, description: 'whether containers may be privileged' },
      allowHostPID: { ...permission, description: 'whether pods may see all processes of their node' },
      allowHostIPC: { ...permission, description: 'whether pods may share memory with their node' },
      allowHostPathVolumes: { ...permission, description: 'whether pods may mount paths of their node' },
      allowUnconfined: {
        ...permission,
        description: 'whether pods and containers may use the seccomp or AppArmor profile Unconfined',
      },
      allowedCapabilities: {
        type: 'array',
        description:
          'capabilities that containers may add; a policy of the platform defaults to those of the Pod Security baseline',
        items: { type: 'string', format: 'filled' },
      },
      allowWildcardRoles: { ...permission, description: 'whether roles may have "*" in their rules' },
      allowEscalatingVerbs: {
        ...permission,
        description: 'whether roles may grant the verbs escalate, bind and impersonate',
      },
      allowClusterAdmin: { ...permission, description: 'whether the role cluster-admin may be bound' },
      allowForeignBindings: {
        ...permission,
        description:
          'whether rights may be granted outside of a namespace: by a ClusterRoleBinding, to subjects of another namespace, or by aggregation',
      },
      allowWebhooks: {
        ...permission,
        description: 'whether webhooks, admission policies and API services may be installed',
      },
    },
  },
  objects: {
    type: 'object',
    description: 'which objects there may be',
    default: {},
    properties: {
      allowedKinds: {
        ...kinds,
        description: 'kinds that objects may have, as in Deployment or apps/Deployment; defaults to any',
        minItems: 1,
      },
      forbiddenKinds: { ...kinds, description: 'kinds that objects must not have' },
      allowedGroups: {
        ...groups,
        description: 'API groups that objects may be of, core for that of Pod; defaults to any',
        minItems: 1,
      },
      forbiddenGroups: { ...groups, description: 'API groups that objects must not be of' },
      allowedNamespaces: {
        type: 'array',
        description: 'namespaces that objects may be in; objects without one are refused; defaults to any',
        minItems: 1,
        items: { type: 'string', format: 'dns-label' },
      },
      namespacedOnly: { type: 'boolean', description: 'whether objects outside of namespaces are refused' },
    },
  },
  capabilities: {
    type: 'object',
    description: 'which traits an application may, must not and must have',
    default: {},
    properties: {
      allowed: { ...traits, description: 'traits that it may have; defaults to any', minItems: 1 },
      forbidden: { ...traits, description: 'traits that it must not have' },
      required: { ...traits, description: 'traits that at least one component must have' },
    },
  },
  placement: {
    type: 'object',
    description: 'where pods may run; read, and without effect',
    open: { type: 'any' },
  },
} as const satisfies Fields;

// What a platform does not allow is denied.
const denied = { default: false } as const;
const permissions = policyFields.security.properties;

const rules = {
  type: 'object',
  default: {},
  properties: {
    ...policyFields,
    security: {
      ...policyFields.security,
      properties: {
        allowHostNetwork: { ...permissions.allowHostNetwork, ...denied },
        allowPrivileged: { ...permissions.allowPrivileged, ...denied },
        allowHostPID: { ...permissions.allowHostPID, ...denied },
        allowHostIPC: { ...permissions.allowHostIPC, ...denied },
        allowHostPathVolumes: { ...permissions.allowHostPathVolumes, ...denied },
        allowUnconfined: { ...permissions.allowUnconfined, ...denied },
        allowedCapabilities: { ...permissions.allowedCapabilities, default: baselineCapabilities },
        allowWildcardRoles: { ...permissions.allowWildcardRoles, ...denied },
        allowEscalatingVerbs: { ...permissions.allowEscalatingVerbs, ...denied },
        allowClusterAdmin: { ...permissions.allowClusterAdmin, ...denied },
        allowForeignBindings: { ...permissions.allowForeignBindings, ...denied },
        allowWebhooks: { ...permissions.allowWebhooks, ...denied },
      },
    },
  },
} as const satisfies Field;

export type PolicyRules = ValueOf<typeof rules>;

const ownRules = { type: 'object', properties: policyFields } as const satisfies Field;

/** Rules of an application for itself: a permission that they do not speak of is not denied by them. */
export type OwnRules = ValueOf<typeof ownRules>;

export const policyTables = { kind: 'Policy', metadata, spec: rules } as const;

export type Policy = Document<typeof metadata, typeof rules>;

/** Reads the document that `--policy` names. */
export function readPolicy(data: Json | undefined, options: PlatformOptions): Policy | undefined {
  function check(document: Json, findings: Findings): void {
    checkRules(document, { path: ['spec'], options, findings });
  }
  return readDocument(data, { ...policyTables, check }, options);
}

interface RulesOptions extends PlatformOptions {
  /** Where the properties of the entry stand in the document. */
  readonly path: Path;
}

/** Reads the properties of an `env-policy` of an application, which says what a policy says. */
export function readPolicyRules(properties: Json, { path, ...options }: RulesOptions): OwnRules | undefined {
  const findings = createFindings({
    ...options,
    locate: (inner) => options.locate([...path, ...inner]),
    referencesAt: (inner) => options.referencesAt?.([...path, ...inner]) ?? [],
  });
  const value = collectField(ownRules, properties, { path: [], findings });
  checkRules(properties, { path: [], options, findings });
  return findings.reportFinding(() => properties) ? value : undefined;
}

interface RulesPlace {
  readonly path: readonly string[];
  readonly options: PlatformOptions;
  readonly findings: Findings;
}

function checkRules(document: Json, { path, options, findings }: RulesPlace): void {
  const checkTrait = createTraitCheck(options, findings, 'policy-trait-unknown');
  for (const list of ['allowed', 'forbidden', 'required']) {
    const place = [...path, 'capabilities', list];
    for (const [index, trait] of (listAt(document, place) ?? []).entries()) {
      if (typeof trait === 'string') checkTrait(trait, [...place, index]);
    }
  }
  const placement = [...path, 'placement'];
  if (isJsonObject(valueAt(document, placement))) {
    const location = findings.locateKey(placement);
    findings.add(placement, documentProblems.create('policy-placement', {}, { location }));
  }
  checkContradictions(document, path, findings);
}
