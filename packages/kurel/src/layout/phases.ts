import type { OutputFile } from '../model/index.ts';
import { checkForKustomize } from './check-for-kustomize.ts';
import { checkName } from './check-name.ts';
import { layOutGroups } from './groups.ts';
import { writeKustomization } from './kustomization.ts';
import type { LayoutInput } from './layout.ts';
import { choosePackageLabels } from './package-labels.ts';
import { checkPhases, splitByPhase } from './phase.ts';
import type { Phase } from './phase.ts';
import { phaseFileOf } from './phase-file.ts';

/** A directory for each phase that has objects, with a kustomization over files that hold the objects by kind. */
export function layOutPhases(input: LayoutInput): readonly OutputFile[] {
  const { objects, name } = input;
  if (name !== undefined && !checkName(name, input.report)) return [];
  checkPhases(objects, input);
  checkForKustomize(objects, input);
  const phases = splitByPhase(objects);
  return phases.flatMap((phase, index) => layOutPhase(phase, phases[index - 1], input));
}

function layOutPhase(phase: Phase, before: Phase | undefined, input: LayoutInput): readonly OutputFile[] {
  const { objects, name: directory } = phase;
  const files = layOutGroups({ ...input, objects }, phaseFileOf);
  if (files.length === 0) return [];
  const { labels, leftOut } = choosePackageLabels(objects, input.name);
  const notes = [
    ...(before === undefined ? [] : [`depends on: ${phaseName(before, input.name)}`]),
    ...leftOut.map((key) => `${key} is not set here: some of the objects use it for something else`),
  ];
  const kustomization = writeKustomization({ directory, notes, resources: files.map(({ path }) => path), labels });
  return [kustomization, ...files.map(({ path, text }) => ({ path: `${directory}/${path}`, text }))];
}

/** What a phase of a package is called where there may be other packages: `gitea-main`. */
export function phaseName({ name: phase }: Phase, packageName: string | undefined): string {
  return packageName === undefined ? phase : `${packageName}-${phase}`;
}
