import { has, listAt, mappingAt } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, isSameJson } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import type { PropertiesOf, ReportAt } from '../catalog/define.ts';
import {
  choiceField,
  flagField,
  inGroup,
  kubernetesFields,
  podFields,
  selectorMap,
  textField,
} from '../../../documents/index.ts';
import type { Field, ValueOf } from '../../../documents/index.ts';
import { podProblems } from './problems.ts';

const nodeLabels = { ...selectorMap, description: 'Labels that nodes must have.' } as const satisfies Field;

export const schedulingProperties = inGroup('Scheduling', {
  nodeSelector: nodeLabels,
  ...podFields({
    topologySpreadConstraints: {
      type: 'array',
      description: 'How to spread the pods. A constraint without labelSelector selects the pods of the component.',
    },
  }),
  schedulerName: textField('dns-subdomain', 'Scheduler of the pods. Defaults to that of the cluster.'),
  runtimeClassName: textField('dns-subdomain', 'RuntimeClass of the pods.'),
});

const affinityTerms = kubernetesFields(['v1', 'Pod', 'spec', 'affinity'], {
  nodeAffinity: { type: 'object', description: 'Nodes that the pods need or prefer.' },
  podAffinity: {
    type: 'object',
    description:
      'Pods that should be near. A term without labelSelector and namespaces selects the pods of the component.',
  },
  podAntiAffinity: {
    type: 'object',
    description:
      'Pods that should not be near. A term without labelSelector and namespaces selects the pods of the component.',
  },
});

export const affinity = {
  type: 'object',
  group: 'Scheduling',
  description: 'Affinity of the pods.',
  properties: {
    enablePodAntiAffinity: {
      ...flagField('Whether to add pod anti-affinity between the pods of the component.'),
      default: false,
    },
    topologyKey: {
      ...textField('label-key', 'Node label that defines the topology domains of the anti-affinity.'),
      default: 'kubernetes.io/hostname',
    },
    podAntiAffinityType: {
      ...choiceField(['preferred', 'required'], 'Whether the anti-affinity is preferred or required.'),
      default: 'preferred',
    },
    nodeSelector: { ...nodeLabels, default: {} },
    ...affinityTerms,
  },
} as const satisfies Field;

/** The affinity of workloads without replicas. */
export const plainAffinity = {
  type: 'object',
  group: 'Scheduling',
  description: 'Affinity of the pods.',
  instead: { nodeSelector: 'use "nodeSelector" of the component' },
  properties: affinityTerms,
} as const satisfies Field;

export const topologySpread = {
  ...flagField(
    'Whether to spread two or more replicas across nodes, and three or more also across zones, unless topologySpreadConstraints is set. Counts "replicas", not those of a scaler trait.',
  ),
  group: 'Scheduling',
  default: true,
} as const satisfies Field;

export type Affinity = Partial<ValueOf<typeof affinity>>;

type SchedulingProperties = PropertiesOf<typeof schedulingProperties> & { readonly affinity?: Affinity | undefined };

interface SchedulingOptions {
  /** Labels of the pods of the component. */
  readonly selector: Readonly<Record<string, string>>;
  readonly report: ReportAt;
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The terms of the author, and those of the shorter properties; `undefined` if there are none. */
export function createAffinity(properties: SchedulingProperties, options: SchedulingOptions): JsonObject | undefined {
  const { affinity: asked } = properties;
  if (asked === undefined) return undefined;
  checkNodeLabels(properties, options.report);
  const terms = defined({
    nodeAffinity: filled(addNodeLabels(asked.nodeAffinity, asked.nodeSelector ?? {})),
    podAffinity: filled(withSelectors(asked.podAffinity, options)),
    podAntiAffinity: filled(addAntiAffinity(withSelectors(asked.podAntiAffinity, options), asked, options)),
  });
  checkOpposites(terms, options.report);
  return filled(terms);
}

/** A node cannot have two values of a label. */
function checkNodeLabels({ nodeSelector = {}, affinity: asked }: SchedulingProperties, report: ReportAt): void {
  const others = asked?.nodeSelector ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    const other = Object.hasOwn(others, key) ? others[key]! : value;
    if (other !== value)
      report(podProblems.create('node-label-conflict', { key, value, other }), ['nodeSelector', key]);
  }
}

/** Terms are alternatives, so the labels are added to each of them. */
function addNodeLabels(written: JsonObject | undefined, labels: Readonly<Record<string, string>>): JsonObject {
  const keys = Object.keys(labels).toSorted();
  if (keys.length === 0) return written ?? {};
  const expressions = keys.map((key) => ({ key, operator: 'In', values: [labels[key]!] }));
  const terms = listAt(mappingAt(written, required), 'nodeSelectorTerms');
  const nodeSelectorTerms = terms.length === 0 ? [{ matchExpressions: expressions }] : terms.map(addExpressions);
  return { ...written, [required]: { nodeSelectorTerms } };

  /** An empty term matches no node, and must not become one that does. */
  function addExpressions(term: Json): Json {
    if (!isJsonObject(term) || Object.keys(term).length === 0) return term;
    return { ...term, matchExpressions: [...listAt(term, 'matchExpressions'), ...expressions] };
  }
}

function addAntiAffinity(
  written: JsonObject | undefined,
  { enablePodAntiAffinity, topologyKey = '', podAntiAffinityType }: Affinity,
  { selector }: SchedulingOptions,
): JsonObject | undefined {
  if (enablePodAntiAffinity !== true) return written;
  const term = { labelSelector: { matchLabels: selector }, topologyKey };
  return podAntiAffinityType === 'required'
    ? { ...written, [required]: [...listAt(written, required), term] }
    : { ...written, [preferred]: [...listAt(written, preferred), { weight: 100, podAffinityTerm: term }] };
}

/** Without a selector, a term would match no pods. */
function withSelectors(written: JsonObject | undefined, options: SchedulingOptions): JsonObject | undefined {
  if (written === undefined) return undefined;
  const terms = written[required];
  const weighted = written[preferred];
  return defined({
    ...written,
    [required]: isJsonArray(terms) ? terms.map((term) => withTermSelector(term, options)) : terms,
    [preferred]: isJsonArray(weighted) ? weighted.map((term) => withWeightedSelector(term, options)) : weighted,
  });
}

function withWeightedSelector(weighted: Json, options: SchedulingOptions): Json {
  if (!isJsonObject(weighted)) return weighted;
  const { podAffinityTerm: term } = weighted;
  return term === undefined ? weighted : { ...weighted, podAffinityTerm: withTermSelector(term, options) };
}

function withTermSelector(term: Json, options: SchedulingOptions): Json {
  return has(term, 'namespaces') || has(term, 'namespaceSelector') ? term : withSelector(term, options);
}

function withSelector(term: Json, { selector }: SchedulingOptions): Json {
  if (!isJsonObject(term) || has(term, 'labelSelector')) return term;
  return { ...term, labelSelector: { matchLabels: selector } };
}

/** Pods that must be both near and far from the same pods are never scheduled. */
function checkOpposites(terms: JsonObject, report: ReportAt): void {
  const near = listAt(mappingAt(terms, 'podAffinity'), required);
  const far = listAt(mappingAt(terms, 'podAntiAffinity'), required);
  for (const [index, term] of near.entries()) {
    if (!far.some((other) => isSameJson(term, other))) continue;
    report(podProblems.create('affinity-conflict', {}), ['affinity', 'podAffinity', required, index]);
  }
}

/** The constraints of the author replace those of `topologySpread`, which apply to `replicas`. */
export function createSpreadConstraints(
  written: readonly Json[] | undefined,
  replicas: number,
  options: SchedulingOptions,
): readonly Json[] {
  if (written !== undefined) return written.map((constraint) => withSelector(constraint, options));
  const labelSelector = { matchLabels: { ...options.selector } };
  // Two or more replicas must not share a node if another is available; three or more should be in different zones.
  const spread = [
    ['kubernetes.io/hostname', 'DoNotSchedule'],
    ['topology.kubernetes.io/zone', 'ScheduleAnyway'],
  ] as const;
  const domains = spread.slice(0, Math.max(0, replicas - 1));
  return domains.map(([topologyKey, whenUnsatisfiable]) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable,
    labelSelector,
  }));
}
