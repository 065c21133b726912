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
    readonly allowedCapabilities?: readonly string[];
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

/** Without a policy there are no limits and no defaults, and nothing that reaches beyond a pod is allowed. */
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
  },
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
  const { allowedRegistries: allowed, ...limits } = base;
  const { allowedRegistries: ownAllowed, ...ownLimits } = own;
  const tighter = Object.entries(ownLimits).filter(([key, value]) => {
    const most = limits[key as AmountLimit];
    return most === undefined || isLess(value, most);
  });
  const registries =
    allowed === undefined || ownAllowed === undefined
      ? (allowed ?? ownAllowed)
      : intersectRegistries(allowed, ownAllowed);
  return {
    ...limits,
    ...Object.fromEntries(tighter),
    ...(registries === undefined ? {} : { allowedRegistries: registries }),
  };
}

function isLess(amount: string | number, other: string | number): boolean {
  const [one, two] = [parseQuantity(`${amount}`), parseQuantity(`${other}`)];
  return one !== undefined && two !== undefined && compareQuantities(one, two) < 0;
}
