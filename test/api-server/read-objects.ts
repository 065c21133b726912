import { join } from 'node:path';

import type { KubeObject } from '../../packages/kurel/src/model/index.ts';
import { readCorpus } from '../corpus/read-corpus.ts';
import type { CorpusObject } from '../corpus/read-corpus.ts';
import { readVerdicts, verdictsOf } from '../corpus/verdicts.ts';

/** The objects of one kind that mutations start from. */
export interface KindObjects {
  /** `apps/v1 Deployment` */
  readonly kind: string;
  readonly objects: readonly KubeObject[];
}

// Real objects that others wrote, beside our own that use every field.
const mostReal = 8;
// Unfit to be changed thousands of times.
const longestReal = 20_000;

/** Every kind of `objects`, with more objects of it from the corpus. */
export function readObjects(root: string): readonly KindObjects[] {
  const own = readCorpus(join(root, 'test', 'api-server', 'objects'));
  if (own.unread.length > 0) throw new Error(own.unread.join('\n'));
  const cases = join(root, 'test', 'corpus', 'cases');
  const verdicts = verdictsOf(readVerdicts(join(cases, 'verdicts.json')), 'Kubernetes 1.37');
  const real = readCorpus(join(cases, 'manifests')).objects.filter(
    ({ id, text }) => !verdicts.has(id) && text.length <= longestReal,
  );
  const byKind = groupByKind(real);
  return Array.from(groupByKind(own.objects), ([kind, objects]) => ({
    kind,
    objects: [...objects, ...spread(byKind.get(kind) ?? [])],
  }));
}

function groupByKind(objects: readonly CorpusObject[]): ReadonlyMap<string, readonly KubeObject[]> {
  const groups = new Map<string, KubeObject[]>();
  for (const { object } of objects) {
    const kind = `${object.apiVersion} ${object.kind}`;
    groups.set(kind, [...(groups.get(kind) ?? []), object]);
  }
  return groups;
}

/** A few, from the first to the last. */
function spread(objects: readonly KubeObject[]): readonly KubeObject[] {
  const step = Math.max(1, objects.length / mostReal);
  return objects.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, mostReal);
}
