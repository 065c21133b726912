import {
  annotationsOf,
  checkDnsLabel,
  checkDnsSubdomain,
  formatDuration,
  nameOf,
  namespaceOf,
  parseDuration,
  textAt,
  timeoutAnnotation,
  timeoutOf,
  waitForPreviousOf,
  waitForReadyOf,
} from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, OutputFile, Report } from '../model/index.ts';
import type { KustomizationPart } from '../provenance/index.ts';
import { policyProblems } from '../validate/index.ts';
import { readYaml, writeYaml } from '../yaml/index.ts';
import { instanceOf } from './layout.ts';
import type { LayoutInput } from './layout.ts';
import {
  everythingIn,
  layOutPhases,
  phaseName,
  phasesInTree,
  reportUndecrypted,
  writeKustomization,
} from './phases.ts';
import type { Phase } from './phases.ts';
import { layoutProblems } from './problems.ts';

const directory = 'kustomizations';

/** One directory per phase, each with a Flux Kustomization that depends on the previous phase. */
export function layOutFlux(input: LayoutInput): readonly OutputFile[] {
  const phases = phasesInTree(input);
  const settings = readFluxSettings(input, phases);
  const files = layOutPhases(input);
  if (settings === undefined || files.length === 0) return files;
  const { kustomizationParts: parts = [], report } = input;
  reportUnchecked(parts, report);
  const postBuild = joinValues(parts, report);
  const placed = parts.flatMap((part) =>
    (part.patches ?? []).map((patch) => ({ patch, owners: phasesFor(patch, part, { phases, report }) })),
  );
  const objects = phases.flatMap((phase, index) => {
    if (phase.objects.length === 0) return [];
    const neighbours = [phases[index - 1], phases[index + 1]];
    const patches = placed.flatMap(({ patch, owners }) => (owners.includes(phase) ? [patch] : []));
    const object = makeFluxObject(phase, neighbours, { ...settings, patches, postBuild });
    return [{ path: `${directory}/${fileOf(phase, settings)}`, text: writeYaml(object), generated: object }];
  });
  // Without a list of files, kustomize and Flux would read the Flux objects as kustomizations.
  const resources = phases.map((phase) => fileOf(phase, settings));
  return [writeKustomization({ directory, resources }), ...objects, ...files];
}

interface FluxSettings {
  /** Name of the instance. */
  readonly name: string;
  readonly namespace: string;
  readonly interval: string;
  /** Path of the output in the source, without a trailing slash: `.`, `./clusters/production`. */
  readonly path: string;
  readonly source: JsonObject;
  readonly decryption: JsonObject | undefined;
}

/** Pattern from the schema of Flux. */
const fluxDuration = /^(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+$/;

// Flux adds the name of its object as a label to everything it applies.
const longestName = 63;

/** `undefined` if a setting is invalid; everything is reported except a name that every layout rejects. */
function readFluxSettings(input: LayoutInput, phases: readonly Phase[]): FluxSettings | undefined {
  const { options = {}, place } = input;
  const { fluxNamespace: namespace = 'flux-system', fluxInterval: interval = '10m', fluxPath = '.' } = options;
  let isValid = true;
  const refuse = (problem: Diagnostic): void => {
    isValid = false;
    input.report(problem);
  };
  const name = instanceOf(input);
  if (name === undefined) refuse(layoutProblems.create('layout-name-missing', {}));
  else if (checkDnsLabel(name) !== undefined) isValid = false;
  else {
    const names = phases.map((phase) => phaseName(phase, name)).filter(({ length }) => length > longestName);
    if (names.length > 0) refuse(layoutProblems.create('flux-name-too-long', { names, longest: longestName }));
  }
  const reason = checkDnsLabel(namespace);
  if (reason !== undefined) refuse(layoutProblems.create('flux-namespace-invalid', { namespace, reason }));
  if (!fluxDuration.test(interval) || (parseDuration(interval) ?? 0n) === 0n) {
    refuse(layoutProblems.create('flux-interval-invalid', { interval }));
  }
  const parts = fluxPath.split('/').filter((part) => part !== '' && part !== '.');
  const isInside = fluxPath !== '' && !fluxPath.startsWith('/') && !parts.includes('..');
  // oxlint-disable-next-line no-control-regex -- control characters are rejected here
  if (!isInside || /[\u0000-\u001f\u007f\\]/.test(fluxPath)) {
    refuse(layoutProblems.create('flux-path-invalid', { path: fluxPath }));
  }
  // Two environments of a package have the same source.
  const usual = { kind: 'GitRepository', name: input.name ?? name ?? '' };
  const source = options.fluxSource === undefined ? usual : readFluxSource(options.fluxSource, refuse);
  const decryption = readDecryption(options.fluxDecryption, refuse);
  if (!isValid || name === undefined || source === undefined) return undefined;
  if (decryption === undefined)
    reportUndecrypted(phases.flatMap(everythingIn), 'flux-decryption-missing', input.report);
  const subtree = place?.directory ?? '';
  const path = ['.', ...parts, ...(subtree === '' ? [] : [subtree])].join('/');
  return { name, namespace, interval, path, source, decryption };
}

/** `sops`, or `sops/SECRET`. */
function readDecryption(decryption: string | undefined, refuse: Report): JsonObject | undefined {
  if (decryption === undefined) return undefined;
  const [provider, secret] = /^([^/]*)(?:\/(.*))?$/s.exec(decryption)?.slice(1) ?? [];
  const reason =
    provider === 'sops'
      ? secret === undefined
        ? undefined
        : checkDnsSubdomain(secret)
      : `must be "sops" or "sops/SECRET", because Flux has no other provider`;
  if (reason !== undefined) {
    const args = { decryption, reason: provider === 'sops' ? `the name of its Secret ${reason}` : reason };
    refuse(layoutProblems.create('flux-decryption-invalid', args));
  }
  return { provider: 'sops', ...(secret === undefined ? {} : { secretRef: { name: secret } }) };
}

/** Kinds that a Flux Kustomization can read from. */
const kinds: readonly string[] = ['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact'];

/** `KIND/NAME[.NAMESPACE]`. A namespace cannot contain dots, so the last dot separates it. */
function readFluxSource(source: string, refuse: Report): JsonObject | undefined {
  const [written = '', place = '', ...more] = source.split('/');
  const kind = kinds.find((candidate) => candidate.toLowerCase() === written.toLowerCase());
  if (!source.includes('/') || more.length > 0) {
    refuse(layoutProblems.create('flux-source-invalid', { source, reason: 'expected KIND/NAME' }));
    return undefined;
  }
  if (kind === undefined) {
    refuse(layoutProblems.create('flux-source-kind', { source, kind: written, kinds }));
    return undefined;
  }
  const dot = place.lastIndexOf('.');
  const [name, namespace] = dot === -1 ? [place] : [place.slice(0, dot), place.slice(dot + 1)];
  const nameReason = checkDnsSubdomain(name);
  const namespaceReason = namespace === undefined ? undefined : checkDnsLabel(namespace);
  const reason =
    nameReason === undefined ? namespaceReason && `its namespace ${namespaceReason}` : `its name ${nameReason}`;
  if (reason !== undefined) refuse(layoutProblems.create('flux-source-invalid', { source, reason }));
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

function fileOf(phase: Phase, { name }: FluxSettings): string {
  return `${phaseName(phase, name)}/kustomization.yaml`;
}

function makeFluxObject(
  phase: Phase,
  [before, after]: readonly (Phase | undefined)[],
  settings: FluxSettings & { readonly patches: readonly JsonObject[]; readonly postBuild: JsonObject | undefined },
): KubeObject {
  const { name, namespace, interval, path, source, decryption, patches, postBuild } = settings;
  const objects = everythingIn(phase);
  const timeout = longestTimeout(objects);
  const isWaiting =
    objects.some((object) => waitForReadyOf(object) === true) ||
    (after !== undefined && everythingIn(after).some((object) => waitForPreviousOf(object) === true));
  const spec: JsonObject = {
    ...(decryption === undefined ? {} : { decryption }),
    ...(before === undefined ? {} : { dependsOn: [{ name: phaseName(before, name) }] }),
    interval,
    ...(patches.length === 0 ? {} : { patches }),
    path: `${path}/${phase.name}`,
    ...(postBuild === undefined ? {} : { postBuild }),
    prune: true,
    sourceRef: source,
    ...(timeout === undefined ? {} : { timeout }),
    ...(isWaiting ? { wait: true } : {}),
  };
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: phaseName(phase, name), namespace },
    spec,
  };
}

const millisecond = 1_000_000n;

/** As written, if Flux accepts it: Flux has no unit below a millisecond, and no sign. */
function longestTimeout(objects: readonly KubeObject[]): string | undefined {
  let longest = { duration: 0n, text: '' };
  for (const object of objects) {
    const duration = timeoutOf(object) ?? 0n;
    if (duration > longest.duration) longest = { duration, text: annotationsOf(object)[timeoutAnnotation]! };
  }
  const { duration, text } = longest;
  if (duration === 0n) return undefined;
  if (fluxDuration.test(text)) return text;
  return formatDuration(((duration + millisecond - 1n) / millisecond) * millisecond);
}

/**
 * The phases of a patch. One with a target goes to every phase, because kustomize ignores a target without a match. A patch without a
 * target names its object and fails if that is missing, so it goes only to the phase of its object.
 */
function phasesFor(
  patch: JsonObject,
  { location }: KustomizationPart,
  { phases, report }: { readonly phases: readonly Phase[]; readonly report: Report },
): readonly Phase[] {
  if (isJsonObject(patch['target'] ?? null)) return phases;
  const named = readPatch(textAt(patch, 'patch') ?? '');
  const isNamed = (object: KubeObject): boolean =>
    named !== undefined &&
    object.apiVersion === named.apiVersion &&
    object.kind === named.kind &&
    nameOf(object) === nameOf(named) &&
    placeOf(object) === placeOf(named);
  const owners = phases.filter((phase) => everythingIn(phase).some(isNamed));
  if (owners.length === 0) {
    const reason =
      named === undefined
        ? 'does not name a kind and an object'
        : `names ${named.kind} ${placeOf(named)}/${nameOf(named)}, which is not in this build`;
    report(layoutProblems.create('flux-patch-target', { reason }, { location }));
  }
  return owners;
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

/** Like kustomize: a patch without a namespace matches an object in the namespace "default". */
function placeOf(object: KubeObject): string {
  return namespaceOf(object) || 'default';
}

/** Every phase has the same set of values; those of later traits follow those of earlier ones. */
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
