import { dirname, resolve, sep } from 'node:path';

import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { findOutsideRoots, isWithin, openOutputRoots, realPathOf } from '../../host/index.ts';
import type { OutputRoots, OutsideRoots } from '../../host/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import type { Environment } from '../environment.ts';
import { cliProblems } from '../problems.ts';
import { checkDelivery } from './delivery-settings.ts';
import { findLinkedOutputs, isLink, rememberRealPaths } from './linked-outputs.ts';
import type { OutsideSubject } from '../problems.ts';
import { UsageError } from '../usage-error.ts';
import type { OpenedFleet } from './open-fleet.ts';

/** Where the outputs of a fleet may be: a pull request may change the fleet file, so it does not decide that. */
export function openFleetRoots(
  directory: string,
  allowed: readonly string[],
  { workingDirectory }: Environment,
): OutputRoots {
  if (allowed.includes('')) throw new UsageError('--allow-output is empty', 'pass a directory, or remove the flag');
  return openOutputRoots(
    directory,
    allowed.map((path) => resolve(workingDirectory, path)),
  );
}

/** The fleet, whose targets with an output in another place cannot be built, nor those whose output could not be deployed. */
export function limitOutputs(opened: OpenedFleet, roots: OutputRoots): OpenedFleet {
  const { fleet, environment } = opened;
  if (fleet === undefined) return opened;
  const realOf = rememberRealPaths();
  const directory = environment.workingDirectory;
  const linked = findLinkedOutputs(fleet, directory, realOf);
  const targets = fleet.targets.map((target) => {
    const outside = findOutsideRoots(resolve(directory, target.settings.output), roots, realOf);
    const problems = [
      ...(outside === undefined ? [] : [describeOutput(target, { outside, directory, roots, fleet })]),
      ...(linked.has(target) ? [linked.get(target)!] : []),
      ...checkDelivery(target, fleet),
    ];
    if (problems.length === 0) return target;
    return Object.assign({}, target, { problems: [...(target.problems ?? []), ...problems] });
  });
  return { ...opened, fleet: { ...fleet, targets } };
}

/** Whether nothing is written for a target, because its output may not be there. */
export function isOutside({ problems = [] }: FleetTarget): boolean {
  return problems.some(({ code }) => code === 'fleet-output-outside');
}

interface OutputPlace {
  readonly outside: OutsideRoots;
  readonly directory: string;
  readonly roots: OutputRoots;
  readonly fleet: Pick<Fleet, 'source'>;
}

function describeOutput(target: FleetTarget, { outside, directory, roots, fleet }: OutputPlace): Diagnostic {
  const { settings, origins, path } = target;
  const location = { file: fleet.source.path, document: 0, path: origins.output?.at(-1) ?? path };
  const place = describePlace(settings.output, directory, outside, roots);
  return cliProblems.create('fleet-output-outside', { ...place, subject: 'output' }, { location });
}

function describePlace(path: string, directory: string, { reason, real }: OutsideRoots, roots: OutputRoots) {
  const isLinked = real !== resolve(realPathOf(directory), path);
  return { path, reason, target: isLinked ? real : undefined, isRepository: roots.isRepository };
}

/** Looks again before the files of a target are written: the build took its time. */
export function refuseOutput(target: FleetTarget, context: Omit<OutputPlace, 'outside'>): readonly Diagnostic[] {
  const outside = findOutsideRoots(resolve(context.directory, target.settings.output), context.roots);
  return outside === undefined ? [] : [describeOutput(target, { ...context, outside })];
}

interface NamedFile {
  readonly path: string;
  readonly directory: string;
  readonly subject: OutsideSubject;
}

/** Why a file of kurel, or the output of a removed target, must not be touched. */
export function refusePlace({ path, directory, subject }: NamedFile, roots: OutputRoots): Diagnostic | undefined {
  const outside = findOutsideRoots(resolve(directory, path), roots);
  const place = outside && describePlace(path, directory, outside, roots);
  return place && cliProblems.create('fleet-output-outside', { ...place, subject });
}

/** A user may write a report anywhere, but a link in the repository does not decide where. */
export function refuseReport(path: string, directory: string, roots: OutputRoots): readonly Diagnostic[] {
  const place = resolve(directory, path);
  const steps = place.split(sep).map((_, index, parts) => parts.slice(0, index + 1).join(sep));
  const isOfRepository = (step: string): boolean => isLink(step) && isWithin(roots.own, realPathOf(dirname(step)));
  if (!steps.some(isOfRepository)) return [];
  const problem = refusePlace({ path, directory, subject: 'report' }, roots);
  return problem === undefined ? [] : [problem];
}
