import { has, listAt, mappingAt } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, isSameJson } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { filled } from '../catalog/filled.ts';
import { defined } from '../catalog/defined.ts';
import { podProblems } from './problems.ts';
import type { PodProperties } from './pod-properties.ts';
import type { Affinity } from './scheduling-properties.ts';

interface SchedulingOptions {
  /** Labels of the pods of the component. */
  readonly selector: Readonly<Record<string, string>>;
  readonly report: ReportAt;
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The terms of the author, and those of the shorter properties; `undefined` if there are none. */
export function createAffinity(properties: PodProperties, options: SchedulingOptions): JsonObject | undefined {
  const { affinity: asked } = properties;
  if (asked === undefined) return undefined;
  checkNodeLabels(properties, options.report);
  const affinity = defined({
    nodeAffinity: filled(addNodeLabels(asked.nodeAffinity, asked.nodeSelector ?? {})),
    podAffinity: filled(withSelectors(asked.podAffinity, options)),
    podAntiAffinity: filled(addAntiAffinity(withSelectors(asked.podAntiAffinity, options), asked, options)),
  });
  checkOpposites(affinity, options.report);
  return filled(affinity);
}

/** A node cannot have two values of a label. */
function checkNodeLabels({ nodeSelector = {}, affinity }: PodProperties, report: ReportAt): void {
  const others = affinity?.nodeSelector ?? {};
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
  const nodeSelectorTerms =
    terms.length === 0 ? [{ matchExpressions: expressions }] : terms.map((term) => addExpressions(term, expressions));
  return { ...written, [required]: { nodeSelectorTerms } };
}

/** An empty term matches no node, and must not become one that does. */
function addExpressions(term: Json, expressions: readonly JsonObject[]): Json {
  if (!isJsonObject(term) || Object.keys(term).length === 0) return term;
  return { ...term, matchExpressions: [...listAt(term, 'matchExpressions'), ...expressions] };
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
    [preferred]: isJsonArray(weighted) ? weighted.map((one) => withWeightedSelector(one, options)) : weighted,
  });
}

function withWeightedSelector(weighted: Json, options: SchedulingOptions): Json {
  if (!isJsonObject(weighted)) return weighted;
  const { podAffinityTerm: term } = weighted;
  return term === undefined ? weighted : { ...weighted, podAffinityTerm: withTermSelector(term, options) };
}

const namespaces = ['namespaces', 'namespaceSelector'];

function withTermSelector(term: Json, options: SchedulingOptions): Json {
  return namespaces.some((key) => has(term, key)) ? term : withSelector(term, options);
}

function withSelector(term: Json, { selector }: SchedulingOptions): Json {
  if (!isJsonObject(term) || has(term, 'labelSelector')) return term;
  return { ...term, labelSelector: { matchLabels: selector } };
}

/** The constraints of the author replace those of `topologySpread`. */
export function createSpreadConstraints(
  written: readonly Json[] | undefined,
  otherwise: readonly JsonObject[] | undefined,
  options: SchedulingOptions,
): readonly Json[] | undefined {
  if (written === undefined) return otherwise;
  return written.map((constraint) => withSelector(constraint, options));
}

/** Pods that must be both near and far from the same pods are never scheduled. */
function checkOpposites(affinity: JsonObject, report: ReportAt): void {
  const near = listAt(mappingAt(affinity, 'podAffinity'), required);
  const far = listAt(mappingAt(affinity, 'podAntiAffinity'), required);
  for (const [index, term] of near.entries()) {
    if (!far.some((other) => isSameJson(term, other))) continue;
    report(podProblems.create('affinity-conflict', {}), ['affinity', 'podAffinity', required, index]);
  }
}
