import type { OutputFile } from '../model/index.ts';
import { layOutArgoCd } from './argocd.ts';
import { layOutByKind } from './by-kind.ts';
import { layOutByResource } from './by-resource.ts';
import { layOutFlat } from './flat.ts';
import { layOutFlux } from './flux.ts';
import { instanceOf, moveInto } from './layout.ts';
import type { Layout, LayoutInput } from './layout.ts';
import { checkPhases, orderByPhase } from './phase.ts';
import { layOutPhases } from './phases.ts';
import { refuseHiddenItems } from './refuse-hidden-items.ts';
import { layOutStream } from './stream.ts';
import { addSyncWaves } from './sync-waves.ts';

export type LayoutName = 'stream' | 'flat' | 'by-kind' | 'by-resource' | 'phases' | 'flux' | 'argocd';

/** Every way to lay out objects by themselves, by the name that users know it by. */
export const layouts: Readonly<Record<LayoutName, Layout>> = {
  stream: checked((input) => markPartial(layOutStream(inPhases(input)), input)),
  flat: checked((input) => layOutFlat(inPhases(input))),
  'by-kind': checked((input) => layOutByKind(inPhases(input))),
  'by-resource': checked((input) => layOutByResource(inPhases(input))),
  phases: checked(inTree((input) => layOutPhases(withWaves(input)))),
  flux: checked(inTree((input) => layOutFlux(withWaves(input)))),
  argocd: checked(inTree(layOutArgoCd)),
};

function checked(layout: Layout): Layout {
  return (input) => {
    refuseHiddenItems(input);
    return layout({ ...input, written: { length: 0 } });
  };
}

/** For layouts whose files refer to one another, so that each instance in an output needs a tree of its own. */
function inTree(layout: Layout): Layout {
  return (input) => {
    const place = input.options?.placeOf?.(instanceOf(input)) ?? { directory: '', kept: [] };
    const files = layout({ ...input, place });
    return place.directory === '' ? files : moveInto(place.directory, files);
  };
}

/** One file holds all objects, and so lacks those that were dropped. */
function markPartial(files: readonly OutputFile[], { dropped = [] }: LayoutInput): readonly OutputFile[] {
  return dropped.length === 0 ? files : files.map(({ path, text }) => ({ path, text, isPartial: true }));
}

/** For layouts that know nothing of phases themselves. */
function inPhases(input: LayoutInput): LayoutInput {
  const { objects, options = {} } = input;
  if (options.phased !== true && options.syncWaves !== true) return input;
  checkPhases(objects, input.report);
  return withWaves(options.phased === true ? { ...input, objects: orderByPhase(objects) } : input);
}

function withWaves(input: LayoutInput): LayoutInput {
  const { objects, origins, options } = input;
  return options?.syncWaves === true ? { ...input, objects: addSyncWaves(objects, origins) } : input;
}
