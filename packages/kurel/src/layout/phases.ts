import { quote } from '../diagnostics/index.ts';
import {
  annotationOf,
  annotationsOf,
  carryOrigin,
  checkDnsLabel,
  describeObject,
  findEncryptedFile,
  gvkOf,
  identityOf,
  installPhaseAnnotation,
  installPhaseOf,
  installPhases,
  isSopsEncrypted,
  mappingAt,
  nameOf,
  namespaceOf,
  ownAnnotationPrefix,
  pluralOf,
  timeoutAnnotation,
  timeoutOf,
  waitForPreviousAnnotation,
  waitForPreviousOf,
  waitForReadyAnnotation,
  waitForReadyOf,
  withAnnotations,
  withNamespace,
} from '../kube/index.ts';
import type { InstallPhase } from '../kube/index.ts';
import type { KubeObject, OriginTable, OutputFile, Report } from '../model/index.ts';
import { writeYaml } from '../yaml/index.ts';
import { assignPhases, definitionOf, findNeeds, isEarlier, needsOf } from './assign-phases.ts';
import type { Needs, PhaseTable } from './assign-phases.ts';
import { instanceOf, moveInto } from './layout.ts';
import { groupBy } from '../provenance/index.ts';
import type { LayoutInput } from './layout.ts';
import { fileStemOf, layOutGroups } from './one-file-each.ts';
import { layoutProblems } from './problems.ts';

/** `dropped` are objects that filters dropped: they belong to their phases all the same. */
type PhasedObjects = Pick<LayoutInput, 'objects' | 'dropped'>;

/** A phase in a tree that may contain files of an earlier build. */
export interface Phase {
  readonly name: InstallPhase;
  readonly objects: readonly KubeObject[];
  /** Dropped by filters; still part of the phase while files of an earlier build are kept. */
  readonly dropped: readonly KubeObject[];
  /** Names of kept files in its directory. */
  readonly kept: readonly string[];
}

/** Phases with objects or kept files, in apply order. */
export function phasesInTree({
  objects,
  dropped = [],
  place,
}: Pick<LayoutInput, 'objects' | 'dropped' | 'place'>): readonly Phase[] {
  const { phaseOf } = assignPhases([...objects, ...dropped]);
  const of = (list: readonly KubeObject[], name: InstallPhase) => list.filter((object) => phaseOf(object) === name);
  return installPhases
    .map((name) => ({
      name,
      objects: of(objects, name),
      dropped: of(dropped, name),
      kept: (place?.kept ?? []).flatMap((path) => (path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : [])),
    }))
    .filter((phase) => phase.objects.length + phase.kept.length > 0);
}

/** All known objects of a phase in the tree. */
export function everythingIn({ objects, dropped, kept }: Phase): readonly KubeObject[] {
  return kept.length === 0 ? objects : [...objects, ...dropped];
}

/** Earlier phases first, and nothing before its Namespace or definition; objects keep their order within a phase. */
export function orderByPhase(objects: readonly KubeObject[]): readonly KubeObject[] {
  const { phaseOf } = assignPhases(objects, { isOrderOnly: true });
  return installPhases.flatMap((name) => objects.filter((object) => phaseOf(object) === name));
}

/** Reports invalid phase annotations. */
export function checkPhases(objects: readonly KubeObject[], report: Report): void {
  for (const object of objects) {
    checkOwnAnnotations(object, report);
    for (const [key, read, code] of phaseAnnotations) {
      if (read(object) !== undefined) continue;
      const value = annotationOf(object, key)!;
      const annotation = key.slice(ownAnnotationPrefix.length);
      const args = { object: describeObject(object), value, annotation, phases: installPhases };
      report(layoutProblems.create(code, args, { subject: { object, path: ['metadata', 'annotations', key] } }));
    }
  }
}

/** Reports objects in an earlier phase than their Namespace or definition, and what moves to an earlier phase. */
export function checkOrderOfPhases({ objects, dropped = [] }: PhasedObjects, report: Report): void {
  const all = [...objects, ...dropped];
  const needs = findNeeds(all);
  const table = assignPhases(all);
  for (const object of objects) {
    checkNeeds(object, needs, table, report);
    const move = table.moves.get(object);
    if (move === undefined) continue;
    const args = { need: describeNeed(object), phase: move.phase, object: describeObject(move.by) };
    report(layoutProblems.create('phase-moved', args, { subject: { object, path: ['metadata', 'name'] } }));
  }
}

/** Each with its reader, and the finding about a value that it cannot read. */
const phaseAnnotations = [
  [installPhaseAnnotation, installPhaseOf, 'phase-unknown'],
  [waitForReadyAnnotation, waitForReadyOf, 'phase-wait-invalid'],
  [waitForPreviousAnnotation, waitForPreviousOf, 'phase-wait-invalid'],
  [timeoutAnnotation, timeoutOf, 'phase-timeout-invalid'],
] as const;

const ownAnnotations: readonly string[] = [
  ...phaseAnnotations.map(([key]) => key),
  // Package parameters often add these to all objects.
  `${ownAnnotationPrefix}package`,
  `${ownAnnotationPrefix}version`,
];

function checkOwnAnnotations(object: KubeObject, report: Report): void {
  for (const annotation of Object.keys(annotationsOf(object))) {
    if (!annotation.startsWith(ownAnnotationPrefix) || ownAnnotations.includes(annotation)) continue;
    const args = { object: describeObject(object), annotation, annotations: ownAnnotations };
    const subject = { object, path: ['metadata', 'annotations', annotation], at: 'key' as const };
    report(layoutProblems.create('annotation-unknown', args, { subject }));
  }
}

function checkNeeds(object: KubeObject, needs: Needs, { phaseOf }: PhaseTable, report: Report): void {
  const phase = phaseOf(object);
  for (const need of needsOf(object, needs)) {
    // An unknown phase is reported separately.
    const isKnown = installPhaseOf(need) !== undefined && installPhaseOf(object) !== undefined;
    if (!isKnown || !isEarlier(phase, phaseOf(need))) continue;
    const args = { object: describeObject(object), need: describeNeed(need), phase, later: phaseOf(need) };
    const path = ['metadata', 'annotations', installPhaseAnnotation];
    const related = [{ message: `the ${need.kind} is here`, object: need, path: ['metadata', 'name'] }];
    report(layoutProblems.create('phase-too-early', args, { subject: { object, path, related } }));
  }
}

function describeNeed(need: KubeObject): string {
  return `${need.kind} ${quote(nameOf(need))}`;
}

/** Reports definitions in one stream with objects of their kind, which are applied before the kind is served. */
export function checkStream(objects: readonly KubeObject[], report: Report): void {
  const needs = findNeeds(objects);
  if (needs.size === 0) return;
  const { phaseOf } = assignPhases(objects, { isOrderOnly: true });
  for (const [object, others] of groupBy(objects, (other) => definitionOf(other, needs))) {
    if (object === undefined) continue;
    const isSamePhase = others.some((other) => phaseOf(other) === phaseOf(object));
    const args = { definition: nameOf(object), count: others.length, isSamePhase };
    report(layoutProblems.create('definition-in-stream', args, { subject: { object, path: ['metadata', 'name'] } }));
  }
}

/** Name of a phase where several instances may exist: `gitea-main`. */
export function phaseName({ name: phase }: Phase, instance: string | undefined): string {
  return instance === undefined ? phase : `${instance}-${phase}`;
}

const annotation = 'argocd.argoproj.io/sync-wave';
const waves: Readonly<Record<InstallPhase, string>> = { 'pre-install': '-1', main: '0', 'post-install': '1' };

/** Adds a sync wave to each object that has none. */
export function addSyncWaves(
  objects: readonly KubeObject[],
  origins: OriginTable,
  dropped: readonly KubeObject[] = [],
): readonly KubeObject[] {
  const { phaseOf } = assignPhases([...objects, ...dropped]);
  return objects.map((object) => {
    if (annotationOf(object, annotation) !== undefined || isSopsEncrypted(object)) return object;
    const changed = withAnnotations(object, { [annotation]: waves[phaseOf(object)] });
    carryOrigin(origins, object, changed);
    return changed;
  });
}

type EncryptedWaves = Pick<LayoutInput, 'objects' | 'dropped' | 'report'>;

/** Reports encrypted objects without a sync wave, which must not be changed. Without one, Argo CD uses wave 0. */
export function checkEncryptedWaves({ objects, dropped = [], report }: EncryptedWaves): void {
  const { phaseOf } = assignPhases([...objects, ...dropped]);
  for (const object of objects) {
    const wave = waves[phaseOf(object)];
    if (wave === '0' || !isSopsEncrypted(object) || annotationOf(object, annotation) !== undefined) continue;
    const subject = { object, path: ['metadata'] };
    report(layoutProblems.create('sync-wave-encrypted', { object: describeObject(object), wave }, { subject }));
  }
}

/** A controller applies encrypted values as they are unless it decrypts them. */
export function reportUndecrypted(
  objects: readonly KubeObject[],
  code: 'flux-decryption-missing' | 'argocd-decryption-missing',
  report: Report,
): void {
  const [object, ...others] = objects.filter(
    (candidate) => isSopsEncrypted(candidate) || findEncryptedFile(candidate) !== undefined,
  );
  if (object === undefined) return;
  const args = { object: describeObject(object), more: others.length };
  const path = isSopsEncrypted(object) ? ['sops'] : ['data', findEncryptedFile(object)!];
  report(layoutProblems.create(code, args, { subject: { object, path, at: 'key' } }));
}

/** Reports objects that kustomize would reject, leave out or change. */
function checkForKustomize(objects: readonly KubeObject[], report: Report): void {
  const seen = new Map<string, KubeObject>();
  for (const object of objects) {
    checkAnnotations(object, report);
    if (nameOf(object) !== '') checkTwin(object, seen, report);
    else {
      const subject = { object, path: ['metadata'] };
      report(layoutProblems.create('kustomize-nameless', { object: describeObject(object) }, { subject }));
    }
  }
}

function checkTwin(object: KubeObject, seen: Map<string, KubeObject>, report: Report): void {
  // kustomize treats an object without a namespace as one in the namespace "default".
  const identity = identityOf(namespaceOf(object) === 'default' ? withNamespace(object, '') : object);
  const twin = seen.get(identity);
  if (twin === undefined) {
    seen.set(identity, object);
    return;
  }
  const path = ['metadata', 'name'];
  const subject = { object, path, related: [{ message: 'the first one is here', object: twin, path }] };
  const args = { first: describeObject(twin), second: describeObject(object) };
  report(layoutProblems.create('kustomize-duplicate', args, { subject }));
}

const localConfig = 'config.kubernetes.io/local-config';
const internal = 'internal.config.kubernetes.io/';
const notes: readonly string[] = [
  'alpha.config.kubernetes.io/transformations',
  'config.k8s.io/id',
  'config.kubernetes.io/index',
  'config.kubernetes.io/origin',
  'config.kubernetes.io/path',
];

function checkAnnotations(object: KubeObject, report: Report): void {
  const placeOf = (key: string) => ({ subject: { object, path: ['metadata', 'annotations', key] } });
  const local = annotationOf(object, localConfig);
  if (local !== undefined && local !== 'false') {
    const args = { object: describeObject(object), annotation: localConfig };
    report(layoutProblems.create('kustomize-local-object', args, placeOf(localConfig)));
  }
  for (const key of Object.keys(mappingAt(object['metadata'], 'annotations') ?? {})) {
    const isInternal = key.startsWith(internal);
    if (!isInternal && !notes.includes(key)) continue;
    // An internal annotation from elsewhere makes kustomize rename the object or crash.
    const severity = isInternal ? 'error' : 'warning';
    const args = { object: describeObject(object), annotation: key };
    report(layoutProblems.create('kustomize-annotation', args, { ...placeOf(key), severity }));
  }
}

/** One directory per phase, with a kustomization and one file per kind. */
export function layOutPhases(input: LayoutInput): readonly OutputFile[] {
  const { objects, name } = input;
  const names = [...new Set([name, instanceOf(input)])].filter((candidate) => candidate !== undefined);
  // Used in labels, object names and directory names.
  for (const candidate of names) {
    const reason = checkDnsLabel(candidate);
    if (reason === undefined) continue;
    input.report(layoutProblems.create('layout-name-invalid', { name: candidate, reason }));
    return [];
  }
  checkPhases(objects, input.report);
  checkOrderOfPhases(input, input.report);
  checkForKustomize(objects, input.report);
  const phases = phasesInTree(input);
  return phases.flatMap((phase, index) => layOutPhase(phase, phases[index - 1], input));
}

function layOutPhase(phase: Phase, before: Phase | undefined, input: LayoutInput): readonly OutputFile[] {
  const { objects, dropped, kept, name: directory } = phase;
  const files = layOutGroups({ ...input, objects, dropped }, phaseFileOf);
  if (files.length === 0) return [];
  const { labels, leftOut } = choosePackageLabels(everythingIn(phase), input.name);
  const notes = [
    ...(before === undefined ? [] : [`depends on: ${phaseName(before, instanceOf(input))}`]),
    ...leftOut.map((key) => `${key} is not set here: some objects have another value`),
  ];
  const names = new Set([...files.map(({ path }) => path), ...kept.filter((path) => path !== 'kustomization.yaml')]);
  const kustomization = writeKustomization({ directory, notes, resources: [...names].sort(), labels });
  return [kustomization, ...moveInto(directory, files)];
}

/** Kinds that share a file; `Kind.group` if other groups use the kind differently. */
const files: Readonly<Record<string, readonly string[]>> = {
  rbac: [
    'ServiceAccount.',
    'Role.rbac.authorization.k8s.io',
    'RoleBinding.rbac.authorization.k8s.io',
    'ClusterRole.rbac.authorization.k8s.io',
    'ClusterRoleBinding.rbac.authorization.k8s.io',
  ],
  monitoring: ['ServiceMonitor', 'PodMonitor', 'PrometheusRule', 'Probe.monitoring.coreos.com', 'AlertmanagerConfig'],
  backups: ['Backup', 'ScheduledBackup', 'BackupSchedule', 'Schedule.velero.io', 'ReplicationSource', 'VolumeSnapshot'],
  crds: ['CustomResourceDefinition'],
};

const fileOf: ReadonlyMap<string, string> = new Map(
  Object.entries(files).flatMap(([file, kinds]) => kinds.map((kind) => [kind, file] as const)),
);

/** File for an object in a phase, without extension: `deployments`, `rbac`. */
export function phaseFileOf(object: KubeObject): string {
  const { kind } = object;
  const shared = fileOf.get(kind) ?? fileOf.get(`${kind}.${gvkOf(object)?.group ?? ''}`);
  return shared ?? fileStemOf(pluralOf(kind).toLowerCase());
}

/**
 * Labels that kustomize adds to all objects. It would overwrite existing labels, which selectors may depend on, so a label that
 * an object has with another value is left out.
 */
function choosePackageLabels(objects: readonly KubeObject[], name: string | undefined) {
  const wanted = Object.entries({
    ...(name === undefined ? {} : { 'app.kubernetes.io/name': name }),
    'app.kubernetes.io/managed-by': 'kurel',
  });
  const isTaken = ([key, value]: readonly [string, string]): boolean =>
    objects.some(({ metadata }) => {
      const labels = mappingAt(metadata, 'labels') ?? {};
      return Object.hasOwn(labels, key) && labels[key] !== value;
    });
  return {
    labels: Object.fromEntries(wanted.filter((label) => !isTaken(label))),
    leftOut: wanted.filter(isTaken).map(([key]) => key),
  };
}

interface Kustomization {
  /** Directory of the file; empty for the output root. */
  readonly directory: string;
  /** Comment lines at the top. */
  readonly notes?: readonly string[];
  readonly resources: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** The kustomization.yaml of a directory, for kustomize, kubectl, Flux and Argo CD. */
export function writeKustomization({ directory, notes = [], resources, labels = {} }: Kustomization): OutputFile {
  const data = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources,
    // `commonLabels` would also change selectors, which are immutable in the cluster.
    ...(Object.keys(labels).length === 0 ? {} : { labels: [{ pairs: labels, includeSelectors: false }] }),
  };
  const comment = notes.map((note) => `# ${note}\n`).join('');
  const path = directory === '' ? 'kustomization.yaml' : `${directory}/kustomization.yaml`;
  return { path, text: comment + writeYaml(data), generated: data };
}
