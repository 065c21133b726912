import { annotationOf, withAnnotations } from '../kube/index.ts';
import type { InstallPhase } from '../kube/index.ts';
import type { KubeObject, OriginTable } from '../model/index.ts';
import { phaseOf } from './phase.ts';

const annotation = 'argocd.argoproj.io/sync-wave';
const waves: Readonly<Record<InstallPhase, string>> = { 'pre-install': '-1', main: '0', 'post-install': '1' };

/** Tells Argo CD when to apply each object; one that has a wave keeps it. */
export function addSyncWaves(objects: readonly KubeObject[], origins: OriginTable): readonly KubeObject[] {
  return objects.map((object) => {
    if (annotationOf(object, annotation) !== undefined) return object;
    const changed = withAnnotations(object, { [annotation]: waves[phaseOf(object)] });
    const origin = origins.get(object);
    if (origin !== undefined) origins.set(changed, origin);
    return changed;
  });
}
