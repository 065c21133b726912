import { compareQuantities, parseQuantity } from '../../kube/index.ts';
import type { Location, Path } from '../../model/index.ts';
import { intersectRegistries } from './match-registry.ts';

/** What a policy says, as the table of the Policy document describes it. */
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

/** Amounts that are filled in where an author leaves them out, and what they may not exceed. */
export type AmountRules = Pick<PolicyBody, 'defaults' | 'enforced'>;

/** The rules of one policy, and where each of them stands. */
export interface RuleLayer extends PolicyBody {
  /** Who can change the rules: whoever runs the platform, or the author. */
  readonly of: 'platform' | 'application';
  /** The path leads to a rule: `enforced.maxReplicas`. `undefined` for one that nobody wrote. */
  readonly locate: (path: Path) => Location | undefined;
}

/** The rules that hold for an application. */
export interface Rules extends AmountRules {
  /** That of the platform first. What any of them refuses is refused, so that an application can only tighten. */
  readonly layers: readonly RuleLayer[];
}

/** Capabilities that the level "baseline" of the Pod Security Standards lets containers add. */
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

/** Without a policy there are no limits and no defaults, and pods may not reach beyond themselves. */
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

/** What is given and what it may not exceed, for those who make objects, and the policies behind it, for those who check them. */
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

/** What is forbidden anywhere comes before what is not allowed. */
export function findTraitRefusal(type: string, layers: readonly RuleLayer[]): TraitRefusal | undefined {
  for (const layer of layers) {
    const index = layer.capabilities.forbidden?.indexOf(type) ?? -1;
    if (index !== -1) return { layer, rule: 'forbidden', index };
  }
  const layer = layers.find(({ capabilities }) => capabilities.allowed?.includes(type) === false);
  return layer === undefined ? undefined : { layer, rule: 'allowed' };
}

/** Whether somebody wrote one of the policies. */
export function isInForce(layers: readonly RuleLayer[]): boolean {
  return layers.some((layer) => layer !== noPolicy);
}

/** The hosts, and paths below them, that sources may name; any when there is no list. */
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
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): Enforced {
  const common = one === undefined || other === undefined ? (one ?? other) : intersectRegistries(one, other);
  return common === undefined ? {} : { [key]: common };
}

function isLess(amount: string | number, other: string | number): boolean {
  const [one, two] = [parseQuantity(`${amount}`), parseQuantity(`${other}`)];
  return one !== undefined && two !== undefined && compareQuantities(one, two) < 0;
}
