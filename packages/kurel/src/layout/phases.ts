import type { OutputFile } from '../model/index.ts';
import { checkForKustomize } from './check-for-kustomize.ts';
import { checkName } from './check-name.ts';
import { layOutGroups } from './groups.ts';
import { writeKustomization } from './kustomization.ts';
import { instanceOf, moveInto } from './layout.ts';
import type { LayoutInput } from './layout.ts';
import { choosePackageLabels } from './package-labels.ts';
import { checkPhases, everythingIn, phaseName, phasesInTree } from './phase.ts';
import type { Phase, PhaseInTree } from './phase.ts';
import { phaseFileOf } from './phase-file.ts';

/** A directory for each phase that has objects, with a kustomization over files that hold the objects by kind. */
export function layOutPhases(input: LayoutInput): readonly OutputFile[] {
  const { objects, name } = input;
  const names = [...new Set([name, instanceOf(input)])].filter((one) => one !== undefined);
  if (!names.every((one) => checkName(one, input.report))) return [];
  checkPhases(objects, input.report);
  checkForKustomize(objects, input.report);
  const phases = phasesInTree(input);
  return phases.flatMap((phase, index) => layOutPhase(phase, phases[index - 1], input));
}

function layOutPhase(phase: PhaseInTree, before: Phase | undefined, input: LayoutInput): readonly OutputFile[] {
  const { objects, dropped, kept, name: directory } = phase;
  const files = layOutGroups({ ...input, objects, dropped }, phaseFileOf);
  if (files.length === 0) return [];
  const { labels, leftOut } = choosePackageLabels(everythingIn(phase), input.name);
  const notes = [
    ...(before === undefined ? [] : [`depends on: ${phaseName(before, instanceOf(input))}`]),
    ...leftOut.map((key) => `${key} is not set here: some of the objects use it for something else`),
  ];
  const names = new Set([...files.map(({ path }) => path), ...kept.filter((path) => path !== 'kustomization.yaml')]);
  const kustomization = writeKustomization({ directory, notes, resources: [...names].sort(), labels });
  return [kustomization, ...moveInto(directory, files)];
}
