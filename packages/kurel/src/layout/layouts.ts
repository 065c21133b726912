import { groupByApplyOrder, nameOf, namespaceOf, pluralOf } from '../kube/index.ts';
import type { OutputFile } from '../model/index.ts';
import { layOutFlux } from './flux.ts';
import { instanceOf, moveInto, refuseHiddenItems } from './layout.ts';
import type { Layout, LayoutInput } from './layout.ts';
import { fileStemOf, layOutFlat, layOutGroups, layOutOneFileEach } from './one-file-each.ts';
import {
  addSyncWaves,
  checkEncryptedWaves,
  checkOrderOfPhases,
  checkPhases,
  checkStream,
  layOutPhases,
  orderByPhase,
  phasesInTree,
  reportUndecrypted,
  writeKustomization,
} from './phases.ts';
import { layoutProblems } from './problems.ts';
import { layOutStream } from './stream.ts';

export type LayoutName = 'stream' | 'flat' | 'by-kind' | 'by-resource' | 'phases' | 'flux' | 'argocd';

/** All layouts, by name. */
export const layouts: Readonly<Record<LayoutName, Layout>> = {
  stream: checked(withoutFlux((input) => layOutCheckedStream(inPhases(input)))),
  flat: checked(withoutFlux((input) => layOutFlat(inPhases(input)))),
  // One file per kind, named after it: `deployments`.
  'by-kind': checked(
    withoutFlux((input) => layOutGroups(inPhases(input), ({ kind }) => fileStemOf(pluralOf(kind).toLowerCase()))),
  ),
  'by-resource': checked(withoutFlux((input) => layOutByResource(inPhases(input)))),
  phases: checked(withoutFlux(inTree((input) => layOutPhases(withWaves(input))))),
  flux: checked(inTree((input) => layOutFlux(withWaves(input)))),
  argocd: checked(withoutFlux(inTree(layOutArgoCd))),
};

/** For layouts without Flux Kustomizations, where these traits have no effect. */
function withoutFlux(layout: Layout): Layout {
  return (input) => {
    for (const { trait, instead, location } of input.kustomizationParts ?? []) {
      input.report(layoutProblems.create('trait-of-flux', { trait, instead }, { location }));
    }
    return layout(input);
  };
}

function checked(layout: Layout): Layout {
  return (input) => {
    refuseHiddenItems(input);
    return layout({ ...input, written: { length: 0 } });
  };
}

/** For layouts whose files refer to each other, so that each instance needs its own tree. */
function inTree(layout: Layout): Layout {
  return (input) => {
    const place = input.options?.placeOf?.(instanceOf(input)) ?? { directory: '', kept: [] };
    const files = layout({ ...input, place });
    return place.directory === '' ? files : moveInto(place.directory, files);
  };
}

/** For layouts without phases. */
function inPhases(input: LayoutInput): LayoutInput {
  const { objects, options = {} } = input;
  if (options.phased !== true && options.syncWaves !== true) return input;
  checkPhases(objects, input.report);
  // Without waves, nothing waits for a phase.
  if (options.syncWaves === true) checkOrderOfPhases(input, input.report);
  const ordered = options.inApplyOrder === true ? groupByApplyOrder(objects) : objects;
  return withWaves(options.phased === true ? { ...input, objects: orderByPhase(ordered) } : input);
}

function layOutCheckedStream(input: LayoutInput): readonly OutputFile[] {
  const { objects, dropped = [], options, isPart, report } = input;
  // Argo CD waits for definitions itself.
  if (options?.syncWaves !== true && isPart !== true) checkStream(objects, report);
  const files = layOutStream(input);
  // A single file is incomplete if objects were dropped.
  return dropped.length === 0 ? files : files.map(({ path, text }) => ({ path, text, isPartial: true }));
}

function withWaves(input: LayoutInput): LayoutInput {
  const { objects, dropped, origins, options, report } = input;
  if (options?.syncWaves !== true) return input;
  checkEncryptedWaves({ objects, dropped, report });
  return { ...input, objects: addSyncWaves(objects, origins, dropped) };
}

/** One file per object, `<name>[-<namespace>]`, in a directory per kind. */
function layOutByResource(input: LayoutInput): readonly OutputFile[] {
  return layOutOneFileEach(input, (object) => {
    const namespace = namespaceOf(object);
    const stem = fileStemOf(nameOf(object), ...(namespace === '' ? [] : [namespace]));
    return `${fileStemOf(pluralOf(object.kind).toLowerCase())}/${stem}`;
  });
}

/** Phases as sync waves under one kustomization, so that one Argo CD Application applies them in order. */
function layOutArgoCd(input: LayoutInput): readonly OutputFile[] {
  checkEncryptedWaves(input);
  reportUndecrypted(input.objects, 'argocd-decryption-missing', input.report);
  const files = layOutPhases({ ...input, objects: addSyncWaves(input.objects, input.origins, input.dropped) });
  if (files.length === 0) return [];
  const resources = phasesInTree(input).map(({ name }) => name);
  return [writeKustomization({ directory: '', resources }), ...files];
}

/** Where a controller begins to read the tree of an instance. */
const roots: ReadonlyMap<string, string> = new Map([
  ['flux', 'kustomizations'],
  ['argocd', ''],
]);

const notes: readonly string[] = [
  'Nothing is left here. This file makes Flux and Argo CD delete what they have applied from here:',
  'without it, they report that the directory is missing, and delete nothing. Remove it with the object that reads it.',
];

/**
 * The file that stays of an instance that is removed, in a layout with a root that controllers read. It has a label, because some versions of
 * kustomize refuse a file without anything in it.
 */
export function emptyRoot(layout: string, directory: string): OutputFile | undefined {
  const root = roots.get(layout);
  if (root === undefined) return undefined;
  const place = [directory, root].filter((part) => part !== '').join('/');
  const labels = { 'app.kubernetes.io/managed-by': 'kurel' };
  return writeKustomization({ directory: place, notes, resources: [], labels });
}
