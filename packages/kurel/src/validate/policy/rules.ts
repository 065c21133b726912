import type { OwnRules } from '../../documents/index.ts';
import { baselineCapabilities, compareQuantities, parseQuantity } from '../../kube/index.ts';
import type { Location, Path } from '../../model/index.ts';

/** Default amounts and their limits. */
export interface AmountRules extends Pick<OwnRules, 'defaults'> {
  readonly enforced: Pick<OwnRules['enforced'], AmountLimit>;
}

const amountLimits = ['maxReplicas', 'maxCPU', 'maxMemory', 'maxStorageSize'] as const;

export type AmountLimit = (typeof amountLimits)[number];

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

/** The rules without a policy, whose violations are warnings: no limits or defaults, and no access to the node. */
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
  components: {},
  capabilities: {},
  locate: () => undefined,
};

/** Combines defaults and limits for code that creates objects, and keeps the layers for code that checks them. */
export function combinePolicies(platform: RuleLayer, own: readonly RuleLayer[]): Rules {
  const layers = [platform, ...own];
  const defaults: OwnRules['defaults'] = {};
  for (const layer of layers.toReversed()) Object.assign(defaults, layer.defaults);
  const enforced: AmountRules['enforced'] = {};
  for (const limit of amountLimits) {
    const most = tightestLayer(layers, limit)?.enforced[limit];
    if (most !== undefined) Object.assign(enforced, { [limit]: most });
  }
  return { layers, defaults, enforced };
}

export interface TypeRefusal {
  readonly layer: RuleLayer;
  readonly section: TypeSection;
  readonly rule: 'allowed' | 'forbidden' | 'required';
  /** In the list of the rule. */
  readonly index?: number | undefined;
}

/** The rules about types of components, and those about types of traits. */
type TypeSection = 'components' | 'capabilities';

/** A rule that forbids the type takes precedence over one that does not list it. */
export function findTypeRefusal(
  section: TypeSection,
  type: string,
  layers: readonly RuleLayer[],
): TypeRefusal | undefined {
  for (const layer of layers) {
    const index = layer[section].forbidden?.indexOf(type) ?? -1;
    if (index !== -1) return { layer, section, rule: 'forbidden', index };
  }
  const layer = layers.find((rules) => rules[section].allowed?.includes(type) === false);
  return layer === undefined ? undefined : { layer, section, rule: 'allowed' };
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

/** The layer that sets the lowest limit. */
export function tightestLayer(layers: readonly RuleLayer[], limit: AmountLimit): RuleLayer | undefined {
  return layers.reduce<RuleLayer | undefined>((tightest, layer) => {
    const [most, other] = [tightest?.enforced[limit], layer.enforced[limit]];
    return other !== undefined && (most === undefined || isLess(other, most)) ? layer : tightest;
  }, undefined);
}

function isLess(amount: string | number, other: string | number): boolean {
  const [quantity, bound] = [parseQuantity(`${amount}`), parseQuantity(`${other}`)];
  return quantity !== undefined && bound !== undefined && compareQuantities(quantity, bound) < 0;
}
