import { layOutArgoCd } from './argocd.ts';
import { layOutByKind } from './by-kind.ts';
import { layOutByResource } from './by-resource.ts';
import { layOutFlat } from './flat.ts';
import { layOutFlux } from './flux.ts';
import type { Layout, LayoutInput } from './layout.ts';
import { checkPhases, orderByPhase } from './phase.ts';
import { layOutPhases } from './phases.ts';
import { layOutStream } from './stream.ts';
import { addSyncWaves } from './sync-waves.ts';

export type LayoutName = 'stream' | 'flat' | 'by-kind' | 'by-resource' | 'phases' | 'flux' | 'argocd';

/** Every way to lay out objects by themselves, by the name that users know it by. */
export const layouts: Readonly<Record<LayoutName, Layout>> = {
  stream: (input) => layOutStream(inPhases(input)),
  flat: (input) => layOutFlat(inPhases(input)),
  'by-kind': (input) => layOutByKind(inPhases(input)),
  'by-resource': (input) => layOutByResource(inPhases(input)),
  phases: (input) => layOutPhases(withWaves(input)),
  flux: (input) => layOutFlux(withWaves(input)),
  argocd: layOutArgoCd,
};

/** For layouts that know nothing of phases themselves. */
function inPhases(input: LayoutInput): LayoutInput {
  const { objects, options = {} } = input;
  if (options.phased !== true && options.syncWaves !== true) return input;
  checkPhases(objects, input);
  return withWaves(options.phased === true ? { ...input, objects: orderByPhase(objects) } : input);
}

function withWaves(input: LayoutInput): LayoutInput {
  const { objects, origins, options } = input;
  return options?.syncWaves === true ? { ...input, objects: addSyncWaves(objects, origins) } : input;
}
