import type { OutputFile } from '../model/index.ts';
import { writeKustomization } from './kustomization.ts';
import type { LayoutInput } from './layout.ts';
import { phasesInTree } from './phase.ts';
import { layOutPhases } from './phases.ts';
import { addSyncWaves } from './sync-waves.ts';

/** The phases, each a sync wave, under one kustomization: one Argo CD Application applies them all in their order. */
export function layOutArgoCd(input: LayoutInput): readonly OutputFile[] {
  const files = layOutPhases({ ...input, objects: addSyncWaves(input.objects, input.origins) });
  if (files.length === 0) return [];
  const resources = phasesInTree(input).map(({ name }) => name);
  return [writeKustomization({ directory: '', resources }), ...files];
}
