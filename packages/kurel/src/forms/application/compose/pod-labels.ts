import { defineProblems } from '../../../diagnostics/index.ts';
import { gvkOf, mappingAt, podLabels, podSiteOf } from '../../../kube/index.ts';
import type { PodSite } from '../../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';
import { putAt } from '../pods/change-pods.ts';
import type { ComposedObject, ObjectFinding } from './composition.ts';

export const podLabelProblems = defineProblems({
  'selector-overlap': {
    severity: 'error',
    summary: 'The selector of a component also selects the pods of another component.',
    message: ({ first, second, selector }: { first: string; second: string; selector: string }) =>
      `the selector of ${first} also selects the pods of ${second}: ${selector}`,
    hint: () => 'use other labels in one of them',
    fix: 'Set selectorLabels so that each component has labels that no other component has, and remove such labels from podLabels.',
  },
});

/** The object with further labels on its pods; labels that they already have take precedence. */
export function labelPods(object: KubeObject, labels: JsonObject): KubeObject {
  const pod = podOf(object);
  if (pod === undefined || Object.keys(labels).length === 0) return object;
  const metadata = { ...mappingAt(pod.template, 'metadata'), labels: { ...labels, ...podLabels(pod) } };
  return putAt(object, pod.templatePath, { ...pod.template, metadata }) as KubeObject;
}

function podOf(object: KubeObject): PodSite | undefined {
  const gvk = gvkOf(object);
  return gvk === undefined ? undefined : podSiteOf(object, gvk);
}

interface Workload {
  readonly made: ComposedObject;
  readonly pod: PodSite;
}

/** Finds components whose selectors select pods of each other: their Services and controllers would mix them up. */
export function findOverlaps(objects: readonly ComposedObject[]): readonly ObjectFinding[] {
  const workloads = objects.flatMap((made): Workload[] => {
    // Inline objects were written for other tools, with labels of their own.
    const pod = made.locate === undefined ? podOf(made.object) : undefined;
    return pod === undefined ? [] : [{ made, pod }];
  });
  const byLabel = new Map<string, Workload[]>();
  for (const workload of workloads) {
    for (const [key, value] of Object.entries(podLabels(workload.pod))) {
      const known = byLabel.get(indexOf(key, value));
      if (known === undefined) byLabel.set(indexOf(key, value), [workload]);
      else known.push(workload);
    }
  }
  const found = new Set<string>();
  return workloads.flatMap(({ made }): ObjectFinding[] => {
    const selector = selectorOf(made.object);
    const [first] = selector;
    if (first === undefined) return [];
    const others = (byLabel.get(indexOf(first[0], first[1])) ?? []).filter((other) => other.made !== made);
    return others.flatMap((other): ObjectFinding[] => {
      const labels = podLabels(other.pod);
      const [a, b] = [made.components[0]!, other.made.components[0]!];
      const pair = `${Math.min(a, b)} ${Math.max(a, b)}`;
      if (found.has(pair) || selector.some(([key, value]) => labels[key] !== value)) return [];
      found.add(pair);
      const text = selector.map((entry) => entry.join('=')).join(', ');
      const args = { first: made.maker, second: other.made.maker, selector: text };
      const path = [...other.pod.templatePath, 'metadata', 'labels', first[0]];
      return [{ made: other.made, path, diagnostic: podLabelProblems.create('selector-overlap', args) }];
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
