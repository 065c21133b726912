import { relative, resolve } from 'node:path';

import { isOwnEntry } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { findRepository, isWithin, realPathOf, toSlashes } from '../../host/index.ts';
import { checkDnsLabel } from '../../index.ts';
import type { Diagnostic, Path } from '../../model/index.ts';
import { cliProblems } from '../problems.ts';
import { rememberRealPaths } from './linked-outputs.ts';

/** The fleet with settings that follow from others, so that Flux finds what kurel has written. */
export function completeDelivery(fleet: Fleet, directory: string): Fleet {
  if (fleet.targets.every(({ settings }) => settings.flux === undefined && settings.layout !== 'flux')) return fleet;
  const start = realPathOf(directory);
  const realOf = rememberRealPaths();
  const targets = fleet.targets.map(dropInherited).map((target) => {
    if (!isInGit(target)) return target;
    // Flux leaves links out of what it fetches.
    const place = realOf(resolve(start, target.settings.output));
    // Without git, an output elsewhere is at the root of something that kurel does not know.
    const root = findRepository(place) ?? (isWithin(start, place) ? start : place);
    const path = toSlashes(relative(root, place));
    if (path === '') return target;
    const settings = { ...target.settings, flux: { ...target.settings.flux, path } };
    return Object.assign({}, target, { settings });
  });
  return { ...fleet, targets };
}

/** What all targets inherit does not apply to those in another layout. Applications have Flux objects in every layout, in a namespace. */
function dropInherited(target: FleetTarget): FleetTarget {
  const { settings, origins } = target;
  const { layout, flux } = settings;
  if (layout === 'flux' || flux === undefined || origins.flux?.some(isOwnEntry) === true) return target;
  const kept = flux.namespace === undefined ? undefined : { namespace: flux.namespace };
  return Object.assign({}, target, { settings: { ...settings, flux: kept } });
}

/** Whether Flux reads the output from the repository. In an artifact and in other sources, the output is at the root. */
function isInGit({ settings: { layout, flux = {}, artifact } }: FleetTarget): boolean {
  if (layout !== 'flux' || flux.path !== undefined || artifact !== undefined) return false;
  return flux.source === undefined || /^gitrepository\//i.test(flux.source);
}

/** Why the objects of Flux and Argo CD for a target cannot be deployed, at the entries of the fleet file. */
export function checkDelivery({ settings, origins, path }: FleetTarget, { source }: Fleet): readonly Diagnostic[] {
  const { layout, flux = {}, artifact, instance } = settings;
  const placeOf = (entries: readonly Path[] | undefined) => ({
    location: { file: source.path, document: 0, path: entries?.at(-1) ?? path },
  });
  const problems: Diagnostic[] = [];
  if (layout === 'flux' && flux.source === undefined) {
    const isArtifact = artifact !== undefined;
    problems.push(cliProblems.create('fleet-flux-source-missing', { isArtifact }, placeOf(origins.layout)));
  }
  const reason = instance === undefined ? undefined : checkDnsLabel(instance);
  if (reason !== undefined) {
    const args = { instance: instance!, reason };
    problems.push(cliProblems.create('fleet-instance-invalid', args, placeOf(origins.instance)));
  }
  return problems;
}
