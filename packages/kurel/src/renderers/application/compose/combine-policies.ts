import { compareQuantities, parseQuantity } from '../../../kube/index.ts';
import type { Location, Path } from '../../../model/index.ts';
import type { AmountRules } from '../catalog/define.ts';
import type { OwnRules } from '../documents/read-policy.ts';
import { intersectRegistries } from './match-registry.ts';

/** The rules of one policy, and where each of them stands. */
export interface RuleLayer extends OwnRules {
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
  const defaults: OwnRules['defaults'] = {};
  for (const layer of layers.toReversed()) Object.assign(defaults, layer.defaults);
  return {
    layers,
    defaults,
    enforced: layers.map(({ enforced }) => enforced).reduce(tighten, {}),
  };
}

type Enforced = OwnRules['enforced'];

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
