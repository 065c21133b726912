import { getOrAdd } from '../../../budget/index.ts';
import { quote } from '../../../diagnostics/index.ts';
import {
  checkDnsSubdomain,
  describeObject,
  identityOf,
  labelsOf,
  mappingAt,
  nameOf,
  podLabels,
  scopeOf,
} from '../../../kube/index.ts';
import type { PodSite } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Path } from '../../../model/index.ts';
import { enforcePolicy, findTypeRefusal, findUnknownSources, policyProblems } from '../../../validate/index.ts';
import type { Rules, TypeRefusal } from '../../../validate/index.ts';
import { scope as ofCapability } from '../../../documents/index.ts';
import type { ComposedObject, Composing, ObjectFinding } from './composition.ts';
import { podOf } from '../pods/change-pods.ts';
import { sharedLabels } from './finish-object.ts';
import { composeProblems } from './problems.ts';

interface InspectOptions {
  readonly rules: Rules;
  /** The origin of the object, which may have changed since; `undefined` if no part of the application created it. */
  readonly composed?: ComposedObject | undefined;
  /** All objects, some of which may be the CRDs of others. */
  readonly objects: readonly KubeObject[];
  readonly report: (diagnostic: Diagnostic, path: Path) => void;
}

/** Checks an object against the policy and against what traits guarantee for the objects of their component. */
export function inspectObject(object: KubeObject, { rules, composed, objects, report }: InspectOptions): void {
  enforcePolicy(object, { rules, scopeOf: (gvk) => scopeOf(gvk, objects), report });
  for (const inspect of composed?.inspections ?? []) inspect(object, report);
}

/** Checks that need all objects. */
export function inspectObjects(objects: readonly ComposedObject[], composing: Composing): readonly ObjectFinding[] {
  const { rules, application, catalog } = composing;
  const findings: ObjectFinding[] = [];
  const twins = findTwins(objects);
  // A default name contains the scope, unless the scope only selects a capability.
  const namingKeys = ({ type }: ComposedObject): readonly string[] => {
    const { name, scope } = catalog.traits.get(type)?.properties ?? {};
    return name === undefined || name.required === true
      ? []
      : ['name', ...(scope === undefined || scope === ofCapability ? [] : ['scope'])];
  };
  const all = objects.map(({ object }) => object);
  for (const composed of objects) {
    const add = (diagnostic: Diagnostic, path: Path): void => void findings.push({ composed, path, diagnostic });
    const { object } = composed;
    // Inline objects were checked when they were read.
    const reason = composed.locate === undefined ? checkObjectName(object) : undefined;
    if (reason !== undefined)
      add(composeProblems.create('object-name', { object: describeObject(object), reason }), ['metadata', 'name']);
    const first = twins.get(composed);
    if (first !== undefined) {
      const isTrait = composed.path.includes('traits');
      const keys = isTrait && first.maker === composed.maker ? namingKeys(composed) : [];
      const of = { first: first.maker, second: composed.maker, trait: isTrait ? composed.type : undefined };
      const args = { object: describeObject(object), ...of, keys };
      const place = first.locate?.(['metadata', 'name']) ?? application.locate(first.path);
      const related = [{ message: 'it is also created here', location: place }];
      const diagnostic = composeProblems.create('object-twice', args, { related });
      findings.push({ composed, path: ['metadata', 'name'], diagnostic, isAboutMaker: true });
    }
    inspectObject(object, { rules, composed, objects: all, report: add });
  }
  reportTakenLabels(objects, composing);
  for (const finding of findOverlaps(objects)) findings.push(finding);
  const unknown = findUnknownSources(all, rules.layers);
  const makers = new Map(unknown.length === 0 ? [] : objects.map((composed) => [composed.object, composed]));
  for (const { object, path, diagnostic } of unknown) {
    findings.push({ composed: makers.get(object)!, path, diagnostic });
  }
  return findings;
}

/** The objects with the identity of an earlier one, and that one. */
function findTwins(objects: readonly ComposedObject[]): ReadonlyMap<ComposedObject, ComposedObject> {
  const twins = new Map<ComposedObject, ComposedObject>();
  // Identities are long strings, which few applications need.
  if (haveOwnNames(objects)) return twins;
  const seen = new Map<string, ComposedObject>();
  for (const composed of objects) {
    const first = getOrAdd(seen, identityOf(composed.object), () => composed);
    if (first !== composed) twins.set(composed, first);
  }
  return twins;
}

/** Whether no two objects of a kind have the same name. */
function haveOwnNames(objects: readonly ComposedObject[]): boolean {
  const names = new Map<string, Set<string>>();
  return objects.every(({ object }) => {
    const ofKind = getOrAdd(names, object.kind, () => new Set<string>());
    const { size } = ofKind;
    return ofKind.add(nameOf(object)).size > size;
  });
}

/** Why the object's name is invalid. */
function checkObjectName(object: KubeObject): string | undefined {
  const name = nameOf(object);
  return name === '' ? 'is missing' : checkDnsSubdomain(name);
}

interface Workload {
  readonly composed: ComposedObject;
  readonly pod: PodSite;
}

/** Finds components whose selectors select pods of each other: their Services and controllers would mix them up. */
function findOverlaps(objects: readonly ComposedObject[]): readonly ObjectFinding[] {
  const workloads = objects.flatMap((composed): Workload[] => {
    // Inline objects were written for other tools, with labels of their own.
    const pod = composed.locate === undefined ? podOf(composed.object) : undefined;
    return pod === undefined ? [] : [{ composed, pod }];
  });
  const byLabel = new Map<string, Workload[]>();
  for (const workload of workloads) {
    for (const [key, value] of Object.entries(podLabels(workload.pod))) {
      getOrAdd(byLabel, indexOf(key, value), () => []).push(workload);
    }
  }
  const pairs = new Set<string>();
  return workloads.flatMap(({ composed }): ObjectFinding[] => {
    const selector = selectorOf(composed.object);
    const [first] = selector;
    if (first === undefined) return [];
    const labelled = byLabel.get(indexOf(first[0], first[1])) ?? [];
    if (labelled.length === 1 && labelled[0]!.composed === composed) return [];
    const others = labelled.filter((other) => other.composed !== composed);
    return others.flatMap((other): ObjectFinding[] => {
      const labels = podLabels(other.pod);
      const [a, b] = [composed.components[0]!, other.composed.components[0]!];
      const pair = `${Math.min(a, b)} ${Math.max(a, b)}`;
      if (pairs.has(pair) || selector.some(([key, value]) => labels[key] !== value)) return [];
      pairs.add(pair);
      const text = selector.map((entry) => entry.join('=')).join(', ');
      const args = { first: composed.maker, second: other.composed.maker, selector: text };
      const path = [...other.pod.templatePath, 'metadata', 'labels', first[0]];
      return [{ composed: other.composed, path, diagnostic: composeProblems.create('selector-overlap', args) }];
    });
  });
}

/** The labels in the selector of a workload. */
function selectorOf(object: KubeObject): readonly (readonly [string, string])[] {
  const labels = mappingAt(mappingAt(mappingAt(object, 'spec'), 'selector'), 'matchLabels') ?? {};
  return Object.entries(labels).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []));
}

function indexOf(key: string, value: Json): string {
  return JSON.stringify([key, value]);
}

/** Labels of the author that kurel sets itself, each once. */
function reportTakenLabels(objects: readonly ComposedObject[], { document, application, report }: Composing): void {
  const reported = new Set<string>();
  for (const { object, components, locate } of objects) {
    // Inline objects keep their labels.
    if (locate !== undefined) continue;
    const index = components[0]!;
    const { name, labels, properties } = document.spec.components[index]!;
    const shared = Object.entries(sharedLabels(document, index));
    if (shared.length === 0) continue;
    const actual = labelsOf(object);
    for (const [key, value] of shared) {
      if (actual[key] === value || hasLabel(properties, key)) continue;
      const isOwn = Object.hasOwn(labels, key);
      const path = isOwn ? ['spec', 'components', index, 'labels', key] : ['metadata', 'labels', key];
      const id = JSON.stringify(path);
      if (reported.has(id)) continue;
      reported.add(id);
      const args = { key, kind: object.kind, owner: isOwn ? `component ${quote(name)}` : 'the application' };
      report(composeProblems.create('label-taken', args, { location: application.locate(path) }));
    }
  }
}

/** Whether the author sets another value for an object of the component. */
function hasLabel(properties: JsonObject, key: string): boolean {
  return Object.entries(properties).some(
    ([name, value]) => isJsonObject(value) && (name === 'labels' ? Object.hasOwn(value, key) : hasLabel(value, key)),
  );
}

/** Checks which types of components and traits an application may and must have, as written, not as lowered. */
export function checkTypes({ document, rules, application, report, onPart }: Composing): void {
  const present = new Set<string>();
  for (const [index, { type: component, traits }] of document.spec.components.entries()) {
    onPart(index);
    const path = ['spec', 'components', index];
    const ofComponent = findTypeRefusal('components', component, rules.layers);
    if (ofComponent !== undefined) refuse(component, ofComponent, [...path, 'type']);
    for (const [position, { type }] of traits.entries()) {
      present.add(type);
      const refusal = findTypeRefusal('capabilities', type, rules.layers);
      if (refusal !== undefined) refuse(type, refusal, [...path, 'traits', position, 'type']);
    }
  }
  onPart(undefined);
  for (const layer of rules.layers) {
    for (const [index, type] of (layer.capabilities.required ?? []).entries()) {
      if (present.has(type)) continue;
      // Another layer may require it as well.
      present.add(type);
      refuse(type, { layer, section: 'capabilities', rule: 'required', index }, ['metadata', 'name']);
    }
  }

  function refuse(type: string, { layer, section, rule, index }: TypeRefusal, path: Path): void {
    const place = layer.locate([section, rule, ...(index === undefined ? [] : [index])]);
    const related = place === undefined ? [] : [{ message: 'the rule is here', location: place }];
    const allowed = rule === 'allowed' ? layer[section].allowed : undefined;
    const args = { type, application: document.metadata.name, rule, allowed };
    const code = section === 'components' ? 'policy-component' : 'policy-trait';
    report(policyProblems.create(code, args, { location: application.locate(path), related }));
  }
}
