import {
  annotationOf,
  checkDnsLabel,
  describeObject,
  gvkOf,
  identityOf,
  nameOf,
  namespaceOf,
  pluralOf,
  withNamespace,
} from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { KubeObject, OutputFile, Report } from '../model/index.ts';
import { writeYaml } from '../yaml/index.ts';
import { fileStemOf, layOutGroups } from './one-file-each.ts';
import { instanceOf, moveInto } from './layout.ts';
import type { LayoutInput } from './layout.ts';
import { checkPhases, everythingIn, phaseName, phasesInTree } from './phase.ts';
import type { Phase, PhaseInTree } from './phase.ts';
import { layoutProblems } from './problems.ts';

/** Reports objects that kustomize would reject, leave out or change. */
function checkForKustomize(objects: readonly KubeObject[], report: Report): void {
  const seen = new Map<string, KubeObject>();
  for (const object of objects) {
    checkAnnotations(object, report);
    if (nameOf(object) === '') reportNameless(object, report);
    else checkTwin(object, seen, report);
  }
}

function reportNameless(object: KubeObject, report: Report): void {
  const subject = { object, path: ['metadata'] };
  report(layoutProblems.create('kustomize-nameless', { object: describeObject(object) }, { subject }));
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
  for (const key of annotationKeysOf(object)) {
    const isInternal = key.startsWith(internal);
    if (!isInternal && !notes.includes(key)) continue;
    // An internal annotation from elsewhere makes kustomize rename the object or crash.
    const severity = isInternal ? 'error' : 'warning';
    const args = { object: describeObject(object), annotation: key };
    report(layoutProblems.create('kustomize-annotation', args, { ...placeOf(key), severity }));
  }
}

function annotationKeysOf({ metadata }: KubeObject): readonly string[] {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? Object.keys(annotations) : [];
}

/** One directory per phase, with a kustomization and one file per kind. */
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
    ...leftOut.map((key) => `${key} is not set here: some objects have another value`),
  ];
  const names = new Set([...files.map(({ path }) => path), ...kept.filter((path) => path !== 'kustomization.yaml')]);
  const kustomization = writeKustomization({ directory, notes, resources: [...names].sort(), labels });
  return [kustomization, ...moveInto(directory, files)];
}

/** The package name is used in labels, object names and directory names. */
function checkName(name: string, report: Report): boolean {
  const reason = checkDnsLabel(name);
  if (reason !== undefined) report(layoutProblems.create('layout-name-invalid', { name, reason }));
  return reason === undefined;
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
  const known = fileOf.get(kind) ?? fileOf.get(`${kind}.${gvkOf(object)?.group ?? ''}`);
  return known ?? fileStemOf(pluralOf(kind).toLowerCase());
}

interface PackageLabels {
  readonly labels: Readonly<Record<string, string>>;
  /** Labels that some objects already use with another value. */
  readonly leftOut: readonly string[];
}

/**
 * Labels that kustomize adds to all objects. It would overwrite existing labels, which selectors may depend on, so a label that
 * an object has with another value is left out.
 */
function choosePackageLabels(objects: readonly KubeObject[], name: string | undefined): PackageLabels {
  const wanted = Object.entries({
    ...(name === undefined ? {} : { 'app.kubernetes.io/name': name }),
    'app.kubernetes.io/managed-by': 'kurel',
  });
  const isFree = ([key, value]: readonly [string, string]): boolean =>
    objects.every((object) => !hasOther(object, { key, value }));
  return {
    labels: Object.fromEntries(wanted.filter(isFree)),
    leftOut: wanted.filter((label) => !isFree(label)).map(([key]) => key),
  };
}

function hasOther({ metadata }: KubeObject, { key, value }: { readonly key: string; readonly value: string }): boolean {
  const labels = isJsonObject(metadata) ? metadata['labels'] : undefined;
  return isJsonObject(labels) && Object.hasOwn(labels, key) && labels[key] !== value;
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
  return { path, text: comment + writeYaml(data) };
}
