import {
  annotationsOf,
  groupByApplyOrder,
  checkDnsLabel,
  checkDnsSubdomain,
  formatDuration,
  nameOf,
  namespaceOf,
  parseDuration,
  pluralOf,
  timeoutAnnotation,
  timeoutOf,
  waitForPreviousOf,
  waitForReadyOf,
} from '../kube/index.ts';
import type { JsonObject, KubeObject, OutputFile, Report } from '../model/index.ts';
import { writeYaml } from '../yaml/index.ts';
import { fileStemOf, layOutFlat, layOutGroups, layOutOneFileEach } from './one-file-each.ts';
import { layOutPhases, writeKustomization } from './phases.ts';
import { instanceOf, moveInto, refuseHiddenItems } from './layout.ts';
import type { Layout, LayoutInput } from './layout.ts';
import {
  addSyncWaves,
  checkPhases,
  checkStream,
  everythingIn,
  orderByPhase,
  phaseName,
  phasesInTree,
} from './phase.ts';
import type { Phase, PhaseInTree } from './phase.ts';
import { layoutProblems } from './problems.ts';
import { splitKustomizationParts } from './kustomization-parts.ts';
import type { PhaseKustomization } from './kustomization-parts.ts';
import { layOutStream } from './stream.ts';

interface FluxSettings {
  /** Name of the instance. */
  readonly name: string;
  readonly namespace: string;
  readonly interval: string;
  /** Path of the output in the source, without a trailing slash: `.`, `./clusters/production`. */
  readonly path: string;
  readonly source: JsonObject;
}

/** Pattern from the schema of Flux. */
const fluxDuration = /^(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+$/;

/** `undefined` if a setting is invalid; everything is reported except a name that every layout rejects. */
function readFluxSettings(input: LayoutInput, phases: readonly Phase[]): FluxSettings | undefined {
  const { report, options = {} } = input;
  const name = readName(input, phases);
  const namespace = readNamespace(options.fluxNamespace ?? 'flux-system', report);
  const interval = readInterval(options.fluxInterval ?? '10m', report);
  const root = readPath(options.fluxPath ?? '.', report);
  const given = options.fluxSource === undefined ? undefined : readFluxSource(options.fluxSource, report);
  if (name === undefined || namespace === undefined || interval === undefined || root === undefined) return undefined;
  if (options.fluxSource !== undefined && given === undefined) return undefined;
  const subtree = input.place?.directory ?? '';
  const path = subtree === '' ? root : `${root}/${subtree}`;
  // Two environments of a package have the same source.
  return { name, namespace, interval, path, source: given ?? { kind: 'GitRepository', name: input.name ?? name } };
}

// Flux adds the name of its object as a label to everything it applies.
const longestName = 63;

function readName(input: LayoutInput, phases: readonly Phase[]): string | undefined {
  const { report } = input;
  const name = instanceOf(input);
  if (name === undefined) {
    report(layoutProblems.create('layout-name-missing', {}));
    return undefined;
  }
  if (checkDnsLabel(name) !== undefined) return undefined;
  const names = phases.map((phase) => phaseName(phase, name));
  const long = names.filter((one) => one.length > longestName);
  if (long.length === 0) return name;
  report(layoutProblems.create('flux-name-too-long', { names: long, longest: longestName }));
  return undefined;
}

function readNamespace(namespace: string, report: Report): string | undefined {
  const reason = checkDnsLabel(namespace);
  if (reason === undefined) return namespace;
  report(layoutProblems.create('flux-namespace-invalid', { namespace, reason }));
  return undefined;
}

function readInterval(interval: string, report: Report): string | undefined {
  if (fluxDuration.test(interval) && (parseDuration(interval) ?? 0n) > 0n) return interval;
  report(layoutProblems.create('flux-interval-invalid', { interval }));
  return undefined;
}

function readPath(path: string, report: Report): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  // oxlint-disable-next-line no-control-regex -- control characters are rejected here
  if (path !== '' && !path.startsWith('/') && !parts.includes('..') && !/[\u0000-\u001f\u007f\\]/.test(path)) {
    return ['.', ...parts].join('/');
  }
  report(layoutProblems.create('flux-path-invalid', { path }));
  return undefined;
}

/** Kinds that a Flux Kustomization can read from. */
const kinds: readonly string[] = ['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact'];

/** `KIND/NAME[.NAMESPACE]`. A namespace cannot contain dots, so the last dot separates it. */
function readFluxSource(source: string, report: Report): JsonObject | undefined {
  const [written = '', place, ...more] = source.split('/');
  const kind = kinds.find((one) => one.toLowerCase() === written.toLowerCase());
  const isReference = place !== undefined && more.length === 0;
  if (isReference && kind === undefined) {
    report(layoutProblems.create('flux-source-kind', { source, kind: written, kinds }));
    return undefined;
  }
  const { name, namespace } = splitPlace(place ?? '');
  const reason = isReference ? findReason(name, namespace) : 'expected KIND/NAME';
  if (reason === undefined) return { kind: kind!, name, ...(namespace === undefined ? {} : { namespace }) };
  report(layoutProblems.create('flux-source-invalid', { source, reason }));
  return undefined;
}

function splitPlace(place: string): { readonly name: string; readonly namespace?: string } {
  const dot = place.lastIndexOf('.');
  return dot === -1 ? { name: place } : { name: place.slice(0, dot), namespace: place.slice(dot + 1) };
}

function findReason(name: string, namespace: string | undefined): string | undefined {
  const nameReason = checkDnsSubdomain(name);
  if (nameReason !== undefined) return `its name ${nameReason}`;
  const namespaceReason = namespace === undefined ? undefined : checkDnsLabel(namespace);
  return namespaceReason === undefined ? undefined : `its namespace ${namespaceReason}`;
}

const directory = 'kustomizations';

/** One directory per phase, each with a Flux Kustomization that depends on the previous phase. */
function layOutFlux(input: LayoutInput): readonly OutputFile[] {
  const phases = phasesInTree(input);
  const settings = readFluxSettings(input, phases);
  const files = layOutPhases(input);
  if (settings === undefined || files.length === 0) return files;
  const partsOf = splitKustomizationParts(input, phases);
  const objects = phases.flatMap((phase, index) =>
    phase.objects.length === 0
      ? []
      : [
          {
            path: `${directory}/${fileOf(phase, settings)}`,
            text: writeYaml(
              makeFluxObject(phase, [phases[index - 1], phases[index + 1]], { ...settings, ...partsOf(phase) }),
            ),
          },
        ],
  );
  // Without a list of files, kustomize and Flux would read the Flux objects as kustomizations.
  const resources = phases.map((phase) => fileOf(phase, settings));
  return [writeKustomization({ directory, resources }), ...objects, ...files];
}

function fileOf(phase: Phase, { name }: FluxSettings): string {
  return `${phaseName(phase, name)}/kustomization.yaml`;
}

function makeFluxObject(
  phase: PhaseInTree,
  [before, after]: readonly [Phase | undefined, PhaseInTree | undefined],
  settings: FluxSettings & PhaseKustomization,
): KubeObject {
  const { name, namespace, interval, path, source, patches, postBuild } = settings;
  const objects = everythingIn(phase);
  const timeout = longestTimeout(objects);
  const isWaiting =
    objects.some((object) => waitForReadyOf(object) === true) ||
    (after !== undefined && everythingIn(after).some((object) => waitForPreviousOf(object) === true));
  const spec: JsonObject = {
    ...(before === undefined ? {} : { dependsOn: [{ name: phaseName(before, name) }] }),
    interval,
    ...(patches === undefined ? {} : { patches }),
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

export type LayoutName = 'stream' | 'flat' | 'by-kind' | 'by-resource' | 'phases' | 'flux' | 'argocd';

/** All layouts, by name. */
export const layouts: Readonly<Record<LayoutName, Layout>> = {
  stream: checked(withoutFlux((input) => markPartial(layOutStream(asStream(inPhases(input))), input))),
  flat: checked(withoutFlux((input) => layOutFlat(inPhases(input)))),
  'by-kind': checked(withoutFlux((input) => layOutByKind(inPhases(input)))),
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

/** A single file is incomplete if objects were dropped. */
function markPartial(files: readonly OutputFile[], { dropped = [] }: LayoutInput): readonly OutputFile[] {
  return dropped.length === 0 ? files : files.map(({ path, text }) => ({ path, text, isPartial: true }));
}

/** For layouts without phases. */
function inPhases(input: LayoutInput): LayoutInput {
  const { objects, options = {} } = input;
  if (options.phased !== true && options.syncWaves !== true) return input;
  checkPhases(objects, input.report);
  const ordered = options.inApplyOrder === true ? groupByApplyOrder(objects) : objects;
  return withWaves(options.phased === true ? { ...input, objects: orderByPhase(ordered) } : input);
}

function asStream(input: LayoutInput): LayoutInput {
  const { objects, options, isPart, report } = input;
  // Argo CD waits for definitions itself.
  if (options?.syncWaves !== true && isPart !== true) checkStream(objects, report);
  return input;
}

function withWaves(input: LayoutInput): LayoutInput {
  const { objects, origins, options } = input;
  return options?.syncWaves === true ? { ...input, objects: addSyncWaves(objects, origins) } : input;
}

/** One file per kind, named after it: `deployments`. */
function layOutByKind(input: LayoutInput): readonly OutputFile[] {
  return layOutGroups(input, ({ kind }) => fileStemOf(pluralOf(kind).toLowerCase()));
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
  const files = layOutPhases({ ...input, objects: addSyncWaves(input.objects, input.origins) });
  if (files.length === 0) return [];
  const resources = phasesInTree(input).map(({ name }) => name);
  return [writeKustomization({ directory: '', resources }), ...files];
}
