import type { FleetTarget } from '../../fleet/index.ts';
import { diffObjects, groupChanges } from '../../index.ts';
import type { GroupedChange } from '../../index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, KubeObject, OutputFile } from '../../model/index.ts';
import { generaliserFor } from './generalise.ts';
import type { TargetChange } from './generalise.ts';

/** What a layout adds to the objects, so that a controller or kustomize finds them: Flux Kustomizations and kustomizations. */
export function findDeliveries(files: readonly OutputFile[]): readonly KubeObject[] {
  return files.flatMap(({ path, generated }) => (generated === undefined ? [] : [nameDelivery(path, generated)]));
}

/** A kustomization has no name but its path, as a file that kustomize reads. */
function nameDelivery(path: string, generated: JsonObject): KubeObject {
  const { apiVersion, kind, metadata } = generated as KubeObject;
  if (isJsonObject(metadata ?? null)) return { ...generated, apiVersion, kind };
  const { resources: _, ...rest } = generated;
  // Those of a phase list the files of its objects, which the comparison shows.
  const shown = isOfPhase(path) ? rest : generated;
  return { ...shown, apiVersion, kind, metadata: { name: path } };
}

function isOfPhase(path: string): boolean {
  return path !== 'kustomization.yaml' && !path.startsWith('kustomizations/');
}

function isKustomization({ apiVersion }: KubeObject): boolean {
  return apiVersion.startsWith('kustomize.config.k8s.io/');
}

type Change = Omit<GroupedChange, 'targets'>;

/** How the delivery of a target changes. Files of kustomize that come or go do so with a layout, a phase or a target. */
export function diffDeliveries(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  { target, earlier }: { readonly target: FleetTarget; readonly earlier: FleetTarget | undefined },
): readonly TargetChange<Change>[] {
  const { objects, same } = diffObjects(before, after);
  const shown = objects.filter((each) => {
    if (each.operation === 'change') return true;
    return !isKustomization(each.operation === 'add' ? each.after : each.before);
  });
  const generalise = generaliserFor(target, earlier);
  return groupChanges([{ target: target.name, difference: { objects: shown, same } }]).map((grouped) => {
    const { targets: _, ...change } = grouped;
    return { change, target: target.name, generalise };
  });
}
