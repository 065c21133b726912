import type { OwnRules } from '../../documents/index.ts';
import { baselineCapabilities, compareQuantities, parseQuantity } from '../../kube/index.ts';
import type { Location, Path } from '../../model/index.ts';
import { intersectRegistries } from './match-registry.ts';

/** Default amounts and their limits. */
export type AmountRules = Pick<OwnRules, 'defaults' | 'enforced'>;

/** The rules of one policy, with their locations. */
export interface RuleLayer extends OwnRules {
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
  const defaults: OwnRules['defaults'] = {};
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
