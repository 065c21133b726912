import { nameOf, namespaceOf, textAt } from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, KubeObject, Report } from '../model/index.ts';
import type { KustomizationPart } from '../provenance/index.ts';
import { policyProblems } from '../validate/index.ts';
import { readYaml } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { everythingIn } from './phase.ts';
import type { PhaseInTree } from './phase.ts';
import { layoutProblems } from './problems.ts';

/** Settings that the traits of an application request for the Kustomization of one phase. */
export interface PhaseKustomization {
  readonly patches?: readonly JsonObject[] | undefined;
  readonly postBuild?: JsonObject | undefined;
}

/**
 * Splits settings by phase. Values and patches with a target go to every phase, because kustomize ignores a target without a match.
 * A patch without a target names its object and fails if that is missing, so it goes only to the phase of its object.
 */
export function splitKustomizationParts(
  { kustomizationParts: parts = [], report }: LayoutInput,
  phases: readonly PhaseInTree[],
): (phase: PhaseInTree) => PhaseKustomization {
  reportUnchecked(parts, report);
  const postBuild = joinValues(parts, report);
  const placed = parts.flatMap((part) =>
    (part.patches ?? []).map((patch) => ({ patch, phases: phasesFor(patch, part, { phases, report }) })),
  );
  return (phase) => {
    const patches = placed.filter((one) => one.phases.includes(phase)).map(({ patch }) => patch);
    return { patches: patches.length === 0 ? undefined : patches, postBuild };
  };
}

function phasesFor(
  patch: JsonObject,
  { location }: KustomizationPart,
  { phases, report }: { readonly phases: readonly PhaseInTree[]; readonly report: Report },
): readonly PhaseInTree[] {
  if (isJsonObject(patch['target'] ?? null)) return phases;
  const named = readPatch(textAt(patch, 'patch') ?? '');
  if (named === undefined) {
    const reason = 'does not name a kind and an object';
    report(layoutProblems.create('flux-patch-target', { reason }, { location }));
    return [];
  }
  const found = phases.filter((phase) => everythingIn(phase).some((object) => isNamed(object, named)));
  if (found.length === 0) {
    const reason = `names ${named.kind} ${placeOf(named)}/${nameOf(named)}, which is not in this build`;
    report(layoutProblems.create('flux-patch-target', { reason }, { location }));
  }
  return found;
}

/** The object that a strategic merge patch names. */
function readPatch(text: string): KubeObject | undefined {
  const [document] = readYaml({ path: 'patch', text }).documents;
  const data: Json = document?.data ?? null;
  const [apiVersion, kind] = [textAt(data, 'apiVersion'), textAt(data, 'kind')];
  if (!isJsonObject(data) || apiVersion === undefined || kind === undefined) return undefined;
  const object = { ...data, apiVersion, kind };
  return nameOf(object) === '' ? undefined : object;
}

/** Compares like kustomize: a patch without a namespace matches an object in the namespace "default". */
function isNamed(object: KubeObject, named: KubeObject): boolean {
  const { apiVersion, kind } = named;
  const isOfType = object.apiVersion === apiVersion && object.kind === kind;
  return isOfType && nameOf(object) === nameOf(named) && placeOf(object) === placeOf(named);
}

function placeOf(object: KubeObject): string {
  return namespaceOf(object) || 'default';
}

/** A Kustomization has one set of values; those of later traits follow those of earlier ones. */
function joinValues(parts: readonly KustomizationPart[], report: Report): JsonObject | undefined {
  const substitute: Record<string, Json> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part.substitute ?? {})) {
      if (Object.hasOwn(substitute, name) && substitute[name] !== value) {
        report(layoutProblems.create('flux-substitute-twice', { name }, { location: part.location }));
      }
      substitute[name] = value;
    }
  }
  const substituteFrom = parts.flatMap((part) => part.substituteFrom ?? []);
  const joined = {
    ...(Object.keys(substitute).length === 0 ? {} : { substitute }),
    ...(substituteFrom.length === 0 ? {} : { substituteFrom }),
  };
  return Object.keys(joined).length === 0 ? undefined : joined;
}

function reportUnchecked(parts: readonly KustomizationPart[], report: Report): void {
  for (const { trait, patches, isPolicyInForce, location } of parts) {
    if (!isPolicyInForce) continue;
    const field = patches === undefined ? 'spec.postBuild' : 'spec.patches';
    const args = { field, subject: 'the Flux Kustomization', reason: `"${trait}" changes objects in the cluster` };
    report(policyProblems.create('policy-not-checked', args, { location }));
  }
}
