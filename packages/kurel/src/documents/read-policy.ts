import { quote } from '../diagnostics/index.ts';
import { baselineCapabilities, compareQuantities, parseQuantity } from '../kube/index.ts';
import type { Quantity } from '../kube/index.ts';
import { isJsonObject, isNumber, valueAt } from '../model/index.ts';
import type { Json, Path } from '../model/index.ts';
import { countField, flagField, namedMetadata } from './define-fields.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import { createDocumentFindings } from './document-findings.ts';
import type { DocumentFindings } from './document-findings.ts';
import { itemsAt } from './located-data.ts';
import { documentProblems } from './problems.ts';
import { createTraitCheck } from './read-application-document.ts';
import type { PlatformOptions } from './read-application-document.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';
import { collectField } from './read-field.ts';

const quantity = { type: 'quantity' } as const satisfies Field;
const traits = { type: 'array', items: { type: 'string', format: 'dns-label' } } as const satisfies Field;

const kinds = { type: 'array', items: { type: 'string', format: 'kind' } } as const satisfies Field;
const groups = { type: 'array', items: { type: 'string', format: 'dns-subdomain' } } as const satisfies Field;
// An empty list is rejected because it could mean that all are allowed or none.
const registries = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', format: 'registry' },
} as const satisfies Field;

const metadata = namedMetadata('policy');

/** The rules of a policy, whether of the platform or of an application. */
export const policyFields = {
  enforced: {
    type: 'object',
    description: 'Limits.',
    default: {},
    properties: {
      maxReplicas: {
        ...countField('Maximum number of replicas of a workload, including those under an autoscaler.'),
        minimum: 1,
      },
      maxCPU: { ...quantity, description: 'Maximum CPU request and limit of a container.' },
      maxMemory: { ...quantity, description: 'Maximum memory request and limit of a container.' },
      maxStorageSize: { ...quantity, description: 'Maximum storage size of a volume.' },
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
      allowHostNetwork: flagField('Whether pods may use the host network and host ports.'),
      allowPrivileged: flagField('Whether containers may be privileged.'),
      allowHostPID: flagField('Whether pods may use the host PID namespace.'),
      allowHostIPC: flagField('Whether pods may use the host IPC namespace.'),
      allowHostPathVolumes: flagField('Whether pods may mount hostPath volumes.'),
      allowUnconfined: flagField('Whether pods and containers may use the Unconfined seccomp or AppArmor profile.'),
      allowedCapabilities: {
        type: 'array',
        description:
          'Linux capabilities that containers may add. In a platform policy, defaults to those of the Pod Security baseline.',
        items: { type: 'string', format: 'filled' },
      },
      allowWildcardRoles: flagField('Whether roles may have "*" in their rules.'),
      allowEscalatingVerbs: flagField('Whether roles may grant the verbs escalate, bind and impersonate.'),
      allowClusterAdmin: flagField('Whether the cluster-admin role may be bound.'),
      allowForeignBindings: flagField(
        'Whether permissions may reach beyond a namespace: through a ClusterRoleBinding, subjects of another namespace, or aggregation.',
      ),
      allowWebhooks: flagField('Whether webhooks, admission policies and API services may be installed.'),
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
        type: 'array',
        description: 'Allowed namespaces. If set, objects without a namespace are rejected. Defaults to any.',
        minItems: 1,
        items: { type: 'string', format: 'dns-label' },
      },
      namespacedOnly: flagField('Whether cluster-scoped objects are rejected.'),
    },
  },
  capabilities: {
    type: 'object',
    description: 'Rules about the traits of an application.',
    default: {},
    properties: {
      allowed: { ...traits, description: 'Allowed traits. Defaults to any.', minItems: 1 },
      forbidden: { ...traits, description: 'Forbidden traits.' },
      required: { ...traits, description: 'Traits that at least one component must have.' },
    },
  },
  placement: {
    type: 'object',
    description: 'Rules about where pods run. Has no effect.',
    open: { type: 'any' },
  },
} as const satisfies Fields;

type Permissions = typeof policyFields.security.properties;

type Denied = {
  readonly [Key in keyof Permissions]: Permissions[Key] & { readonly default: false | readonly string[] };
};

/** A platform policy denies everything that it does not allow. */
function deny(permissions: Permissions): Denied {
  const denied = Object.entries(permissions).map(([key, field]) => [
    key,
    { ...field, default: field.type === 'boolean' ? false : baselineCapabilities },
  ]);
  return Object.fromEntries(denied) as Denied;
}

const rules = {
  type: 'object',
  default: {},
  properties: {
    ...policyFields,
    security: { ...policyFields.security, properties: deny(policyFields.security.properties) },
  },
} as const satisfies Field;

export type PolicyRules = ValueOf<typeof rules>;

const ownRules = { type: 'object', properties: policyFields } as const satisfies Field;

/** Rules of an application for itself: they deny only what they mention. */
export type OwnRules = ValueOf<typeof ownRules>;

export const policyTables = { kind: 'Policy', metadata, spec: rules } as const;

export type Policy = Document<typeof metadata, typeof rules>;

/** Reads a Policy document. */
export function readPolicy(data: Json | undefined, options: PlatformOptions): Policy | undefined {
  function check(document: Json, findings: DocumentFindings): void {
    checkRules(document, { path: ['spec'], options, findings });
  }
  return readDocument(data, { ...policyTables, check }, options);
}

interface RulesOptions extends PlatformOptions {
  /** Path of the entry's properties in the document. */
  readonly path: Path;
}

/** Reads the properties of an `env-policy` of an application, which has the same rules as a Policy. */
export function readPolicyRules(properties: Json, { path, ...options }: RulesOptions): OwnRules | undefined {
  const findings = createDocumentFindings({
    ...options,
    locate: (inner) => options.locate([...path, ...inner]),
    referencesAt: (inner) => options.referencesAt?.([...path, ...inner]) ?? [],
  });
  const value = collectField(ownRules, properties, { path: [], findings });
  checkRules(properties, { path: [], options, findings });
  return findings.reportAll(() => properties) ? value : undefined;
}

interface RulesPlace {
  readonly path: readonly string[];
  readonly options: PlatformOptions;
  readonly findings: DocumentFindings;
}

function checkRules(document: Json, { path, options, findings }: RulesPlace): void {
  const checkTrait = createTraitCheck(options, findings, 'policy-trait-unknown');
  for (const list of ['allowed', 'forbidden', 'required']) {
    const place = [...path, 'capabilities', list];
    for (const [index, trait] of itemsAt(document, place).entries()) {
      if (typeof trait === 'string') checkTrait(trait, [...place, index]);
    }
  }
  const placement = [...path, 'placement'];
  if (isJsonObject(valueAt(document, placement))) {
    findings.add(placement, documentProblems.create('policy-placement', {}), 'key');
  }
  checkContradictions(document, path, findings);
}

// The first of each pair must not exceed the second: a policy must not set a default that it rejects.
const amounts = [
  ['defaults.replicas', 'enforced.maxReplicas'],
  ['defaults.scalerMinReplicas', 'defaults.scalerMaxReplicas'],
  ['defaults.scalerMinReplicas', 'enforced.maxReplicas'],
  ['defaults.scalerMaxReplicas', 'enforced.maxReplicas'],
  ['defaults.cpuRequest', 'defaults.cpuLimit'],
  ['defaults.cpuRequest', 'enforced.maxCPU'],
  ['defaults.cpuLimit', 'enforced.maxCPU'],
  ['defaults.memoryRequest', 'defaults.memoryLimit'],
  ['defaults.memoryRequest', 'enforced.maxMemory'],
  ['defaults.memoryLimit', 'enforced.maxMemory'],
  ['defaults.storageSize', 'enforced.maxStorageSize'],
] as const;

// No name can be in both lists.
const exclusive = [
  ['capabilities.allowed', 'allowed', 'capabilities.forbidden'],
  ['capabilities.required', 'required', 'capabilities.forbidden'],
  ['objects.allowedKinds', 'allowed', 'objects.forbiddenKinds'],
  ['objects.allowedGroups', 'allowed', 'objects.forbiddenGroups'],
] as const;

/** Finds rules of a policy that no application can satisfy together. */
function checkContradictions(document: Json, path: Path, findings: DocumentFindings): void {
  const pathOf = (rule: string): Path => [...path, ...rule.split('.')];
  const refuse = (reason: string, place: Path, other: Path): void => {
    const related = [{ message: 'the other rule is here', location: findings.options.locate(other) }];
    findings.add(place, documentProblems.create('policy-contradiction', { reason }, { related }));
  };
  const read = (rule: string): WrittenAmount | undefined =>
    findings.has(pathOf(rule)) ? undefined : readAmount(valueAt(document, pathOf(rule)));
  // Read all amounts first: a rejected one would not be read again for its other pairs.
  const pairs = amounts.map(([lesser, greater]) => ({ lesser, greater, less: read(lesser), more: read(greater) }));
  for (const { lesser, greater, less, more } of pairs) {
    if (less === undefined || more === undefined || compareQuantities(less.quantity, more.quantity) <= 0) continue;
    const reason = `${quote(lesser)} must be at most ${quote(greater)} ${more.text}, got ${less.text}`;
    refuse(reason, pathOf(lesser), pathOf(greater));
  }
  const placesIn = (rule: string): ReadonlyMap<Json, Path> =>
    new Map(itemsAt(document, pathOf(rule)).map((item, index) => [item, [...pathOf(rule), index]]));
  for (const [list, word, other] of exclusive) {
    const forbidden = placesIn(other);
    for (const [name, place] of placesIn(list)) {
      if (typeof name !== 'string' || !forbidden.has(name)) continue;
      refuse(`${quote(name)} is both ${word} and forbidden`, place, forbidden.get(name)!);
    }
  }
  const [allowed, forbidden] = [placesIn('capabilities.allowed'), placesIn('capabilities.forbidden')];
  for (const [trait, place] of allowed.size === 0 ? [] : placesIn('capabilities.required')) {
    if (allowed.has(trait) || forbidden.has(trait) || typeof trait !== 'string') continue;
    refuse(`${quote(trait)} is required but not allowed`, place, pathOf('capabilities.allowed'));
  }
}

interface WrittenAmount {
  readonly text: string;
  readonly quantity: Quantity;
}

function readAmount(value: Json | undefined): WrittenAmount | undefined {
  if (typeof value !== 'string' && !isNumber(value)) return undefined;
  const quantity = parseQuantity(String(value));
  return quantity === undefined ? undefined : { text: String(value), quantity };
}
