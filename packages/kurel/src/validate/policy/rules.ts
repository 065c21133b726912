import { compareQuantities, parseQuantity } from '../../kube/index.ts';
import type { Location, Path } from '../../model/index.ts';
import { intersectRegistries } from './match-registry.ts';

/** The body of a Policy document. */
export interface PolicyBody {
  readonly enforced: {
    readonly maxReplicas?: number;
    readonly maxCPU?: string;
    readonly maxMemory?: string;
    readonly maxStorageSize?: string;
    readonly allowedRegistries?: readonly string[];
    readonly allowedSources?: readonly string[];
  };
  readonly defaults: {
    readonly replicas?: number;
    readonly cpuRequest?: string;
    readonly memoryRequest?: string;
    readonly cpuLimit?: string;
    readonly memoryLimit?: string;
    readonly storageSize?: string;
    readonly scalerMinReplicas?: number;
    readonly scalerMaxReplicas?: number;
  };
  readonly security: {
    readonly allowHostNetwork?: boolean;
    readonly allowPrivileged?: boolean;
    readonly allowHostPID?: boolean;
    readonly allowHostIPC?: boolean;
    readonly allowHostPathVolumes?: boolean;
    readonly allowUnconfined?: boolean;
    readonly allowedCapabilities?: readonly string[];
    readonly allowWildcardRoles?: boolean;
    readonly allowEscalatingVerbs?: boolean;
    readonly allowClusterAdmin?: boolean;
    readonly allowForeignBindings?: boolean;
    readonly allowWebhooks?: boolean;
  };
  readonly objects: {
    readonly allowedKinds?: readonly string[];
    readonly forbiddenKinds?: readonly string[];
    readonly allowedGroups?: readonly string[];
    readonly forbiddenGroups?: readonly string[];
    readonly allowedNamespaces?: readonly string[];
    readonly namespacedOnly?: boolean;
  };
  readonly capabilities: {
    readonly allowed?: readonly string[];
    readonly forbidden?: readonly string[];
    readonly required?: readonly string[];
  };
}

/** Default amounts and their limits. */
export type AmountRules = Pick<PolicyBody, 'defaults' | 'enforced'>;

/** The rules of one policy, with their locations. */
export interface RuleLayer extends PolicyBody {
  /** Who owns the policy. */
  readonly of: 'platform' | 'application';
  /** Finds a rule such as `enforced.maxReplicas`; `undefined` for a built-in default. */
  readonly locate: (path: Path) => Location | undefined;
}

/** All rules for an application. */
export interface Rules extends AmountRules {
  /** The platform policy first. Each of them can deny something, so an application can only tighten. */
  readonly layers: readonly RuleLayer[];
}

/** Capabilities that the baseline level of the Pod Security Standards allows. */
export const baselineCapabilities: readonly string[] = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/** The rules without a policy: no limits or defaults, and no access to the node. */
export const noPolicy: RuleLayer = {
  of: 'platform',
  enforced: {},
  defaults: {},
  security: {
    allowHostNetwork: false,
    allowPrivileged: false,
    allowHostPID: false,
    allowHostIPC: false,
    allowHostPathVolumes: false,
    allowUnconfined: false,
    allowedCapabilities: baselineCapabilities,
  },
  objects: {},
  capabilities: {},
  locate: () => undefined,
};

/** Combines defaults and limits for code that creates objects, and keeps the layers for code that checks them. */
export function combinePolicies(platform: RuleLayer, own: readonly RuleLayer[]): Rules {
  const layers = [platform, ...own];
  const defaults: PolicyBody['defaults'] = {};
  for (const layer of layers.toReversed()) Object.assign(defaults, layer.defaults);
  return {
    layers,
    defaults,
    enforced: layers.map(({ enforced }) => enforced).reduce(tighten, {}),
  };
}

export interface TraitRefusal {
  readonly layer: RuleLayer;
  readonly rule: 'allowed' | 'forbidden' | 'required';
  /** In the list of the rule. */
  readonly index?: number | undefined;
}

/** A rule that forbids the trait takes precedence over one that does not list it. */
export function findTraitRefusal(type: string, layers: readonly RuleLayer[]): TraitRefusal | undefined {
  for (const layer of layers) {
    const index = layer.capabilities.forbidden?.indexOf(type) ?? -1;
    if (index !== -1) return { layer, rule: 'forbidden', index };
  }
  const layer = layers.find(({ capabilities }) => capabilities.allowed?.includes(type) === false);
  return layer === undefined ? undefined : { layer, rule: 'allowed' };
}

/** Whether there is a written policy. */
export function isInForce(layers: readonly RuleLayer[]): boolean {
  return layers.some((layer) => layer !== noPolicy);
}

/** The allowed hosts and paths of sources; `undefined` if all are allowed. */
export function sourcesAllowedBy({ enforced }: RuleLayer): SourceRule | undefined {
  const key = enforced.allowedSources === undefined ? 'allowedRegistries' : 'allowedSources';
  const allowed = enforced[key];
  return allowed === undefined ? undefined : { allowed, path: ['enforced', key] };
}

interface SourceRule {
  readonly allowed: readonly string[];
  /** Of the rule in its policy. */
  readonly path: Path;
}

type Enforced = PolicyBody['enforced'];

export type AmountLimit = 'maxReplicas' | 'maxCPU' | 'maxMemory' | 'maxStorageSize';

/** The layer that sets the lowest limit. */
export function tightestLayer(layers: readonly RuleLayer[], limit: AmountLimit): RuleLayer | undefined {
  return layers.reduce<RuleLayer | undefined>((tightest, layer) => {
    const [most, other] = [tightest?.enforced[limit], layer.enforced[limit]];
    return other !== undefined && (most === undefined || isLess(other, most)) ? layer : tightest;
  }, undefined);
}

function tighten(base: Enforced, own: Enforced): Enforced {
  const { allowedRegistries: registries, allowedSources: sources, ...limits } = base;
  const { allowedRegistries: ownRegistries, allowedSources: ownSources, ...ownLimits } = own;
  const tighter = Object.entries(ownLimits).filter(([key, value]) => {
    const most = limits[key as AmountLimit];
    return most === undefined || isLess(value, most);
  });
  return {
    ...limits,
    ...Object.fromEntries(tighter),
    ...intersect('allowedRegistries', registries, ownRegistries),
    ...intersect('allowedSources', sources, ownSources),
  };
}

function intersect(
  key: 'allowedRegistries' | 'allowedSources',
  base: readonly string[] | undefined,
  own: readonly string[] | undefined,
): Enforced {
  const common = base === undefined || own === undefined ? (base ?? own) : intersectRegistries(base, own);
  return common === undefined ? {} : { [key]: common };
}

function isLess(amount: string | number, other: string | number): boolean {
  const [quantity, bound] = [parseQuantity(`${amount}`), parseQuantity(`${other}`)];
  return quantity !== undefined && bound !== undefined && compareQuantities(quantity, bound) < 0;
}
