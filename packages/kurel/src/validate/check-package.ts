import { escapeControls, nearest } from '../diagnostics/index.ts';
import { containerPath, containersOf, describeObject, listAt, mappingAt, pluralOf, textAt } from '../kube/index.ts';
import type { PodSite } from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json, Path } from '../model/index.ts';
import { followReference } from './follow-reference.ts';
import { createObjectTable } from './object-table.ts';
import type { PackageCheck } from './object-table.ts';
import { checkReferences } from './package-references.ts';
import { checkRoutes } from './package-routes.ts';
import { checkServices } from './package-services.ts';
import type { Subject } from './subject.ts';

/** What objects say about one another. Gives the namespaces that are used and not created, without anything that looks wrong. */
export function checkPackage(subjects: readonly Subject[], given: Omit<PackageCheck, 'table'>): readonly string[] {
  const all = given.dropped.length === 0 ? subjects : [...subjects, ...given.dropped];
  const check = { ...given, table: createObjectTable(all) };
  checkIdentities(check);
  const elsewhere = checkNamespaces(subjects, check);
  for (const subject of subjects) {
    if (subject.pod !== undefined) checkPodReferences(subject, subject.pod, check);
    checkReferences(subject, check);
    checkServices(subject, check);
    checkRoutes(subject, check);
    if (given.inPackage) checkAdvice(subject, check);
  }
  return elsewhere;
}

/** Two objects that a cluster would take for one. */
function checkIdentities({ findings, inPackage, table, dropped }: PackageCheck): void {
  for (const [subject, first] of table.duplicates) {
    if (dropped.includes(subject)) continue;
    const { object } = subject;
    const related = [{ message: 'it is here first', object: first, path: ['metadata', 'name'] }];
    findings.add(object, { path: ['metadata', 'name'], related }, [
      'object-duplicate',
      { object: describeObject(object), pair: inPackage ? describePair(subject) : undefined },
    ]);
  }
}

function describePair({ gvk, namespace, name }: Subject): string {
  const where = namespace === '' ? '' : ` in namespace '${namespace}'`;
  return escapeControls(`Two ${pluralOf(gvk.kind)} named '${name}'${where}`);
}

/** What a cluster takes as it is, and what the author of a package most likely did not mean. */
function checkAdvice(subject: Subject, check: PackageCheck): void {
  if (subject.gvk.group !== '') return;
  const { kind } = subject.gvk;
  if (kind === 'ConfigMap') checkData(subject, check, ['data', 'binaryData']);
  else if (kind === 'Secret') checkSecret(subject, check);
  else if (kind === 'Service') checkSelector(subject, check);
}

function checkSecret(subject: Subject, check: PackageCheck): void {
  const { object } = subject;
  // A controller of the cluster fills these.
  if (object['type'] === 'kubernetes.io/service-account-token') return;
  checkData(subject, check, ['data', 'stringData']);
  if (!isFilled(subject, 'stringData')) return;
  check.findings.add(object, { path: ['stringData'], at: 'key' }, [
    'secret-in-clear',
    { object: describeObject(object) },
  ]);
}

function checkData(subject: Subject, { findings }: PackageCheck, fields: readonly string[]): void {
  const { object } = subject;
  if (fields.some((field) => isFilled(subject, field))) return;
  findings.add(object, { path: ['metadata', 'name'] }, ['data-missing', { object: describeObject(object), fields }]);
}

function isFilled({ object }: Subject, field: string): boolean {
  return Object.keys(mappingAt(object, field) ?? {}).length > 0;
}

function checkSelector({ object }: Subject, { findings }: PackageCheck): void {
  const spec = mappingAt(object, 'spec');
  if (spec === undefined || spec['type'] === 'ExternalName') return;
  if (Object.keys(mappingAt(spec, 'selector') ?? {}).length > 0) return;
  findings.add(object, { path: ['spec'], at: 'key' }, ['service-without-selector', { object: describeObject(object) }]);
}

/**
 * Reports namespaces that are used and not created, and gives those about which nothing seems wrong but that others are created.
 * Objects without any Namespace among them are for namespaces that exist. Every cluster has `default` and those of Kubernetes itself.
 */
function checkNamespaces(
  subjects: readonly Subject[],
  { store, findings, inPackage, namespacesElsewhere, dropped }: PackageCheck,
): readonly string[] {
  const created = new Set(namesCreated(subjects).concat(namesCreated(dropped)));
  if (!inPackage && created.size === 0) return [];
  const used = new Map<string, Subject[]>();
  const elsewhere: string[] = [];
  for (const subject of subjects) {
    const { namespace } = subject;
    if (namespace === '' || namespace === 'default' || namespace.startsWith('kube-')) continue;
    const users = used.get(namespace);
    if (users === undefined) used.set(namespace, [subject]);
    else users.push(subject);
  }
  for (const [namespace, all] of used) {
    if (created.has(namespace) || namespacesElsewhere.includes(namespace)) continue;
    // What is put into a namespace by mistake, because its kind lives in none, is another finding.
    const users = all.filter(({ gvk }) => store.find(gvk)?.scope !== 'Cluster');
    if (users.length === 0) continue;
    const near = nearest(namespace, [...created]);
    if (!inPackage && near === undefined) elsewhere.push(namespace);
    else {
      findings.add(users[0]!.object, { path: ['metadata', 'namespace'] }, [
        'namespace-missing',
        { namespace, count: users.length, near, inPackage },
      ]);
    }
  }
  return elsewhere;
}

function namesCreated(subjects: readonly Subject[]): readonly string[] {
  return subjects.flatMap(({ gvk, name }) => (gvk.kind === 'Namespace' && gvk.group === '' ? [name] : []));
}

/** ConfigMaps, Secrets, claims and ServiceAccounts that pods need in order to start. */
function checkPodReferences({ object, namespace }: Subject, pod: PodSite, check: PackageCheck): void {
  checkPod(pod, (kind, name, path) => {
    if (typeof name !== 'string' || isAlwaysThere(kind, name)) return;
    const target = { group: '', kind, namespace, name };
    // The path is only needed when something is missing, which is rare.
    if (check.table.find(target) === undefined) followReference({ object, path: path(), target }, check);
  });
}

type Follow = (kind: string, name: Json | undefined, path: () => Path) => void;

/** Made by every cluster for every namespace. */
function isAlwaysThere(kind: string, name: string): boolean {
  return (kind === 'ServiceAccount' && name === 'default') || (kind === 'ConfigMap' && name === 'kube-root-ca.crt');
}

function checkPod(pod: PodSite, follow: Follow): void {
  const { spec, specPath } = pod;
  follow('ServiceAccount', spec['serviceAccountName'], () => [...specPath, 'serviceAccountName']);
  listAt(spec, 'imagePullSecrets').forEach((secret, index) => {
    follow('Secret', textAt(secret, 'name'), () => [...specPath, 'imagePullSecrets', index, 'name']);
  });
  listAt(spec, 'volumes').forEach((volume, index) => {
    if (isJsonObject(volume))
      checkVolume(volume, { follow, path: (...steps) => [...specPath, 'volumes', index, ...steps] });
  });
  for (const site of containersOf(pod)) {
    listAt(site.container, 'env').forEach((entry, index) => {
      const from = mappingAt(entry, 'valueFrom');
      if (from === undefined) return;
      const path = (...steps: Path): Path => containerPath(site, 'env', index, 'valueFrom', ...steps);
      checkKey(from, 'configMapKeyRef', { follow, path });
      checkKey(from, 'secretKeyRef', { follow, path });
    });
    listAt(site.container, 'envFrom').forEach((entry, index) => {
      const path = (...steps: Path): Path => containerPath(site, 'envFrom', index, ...steps);
      checkKey(entry, 'configMapRef', { follow, path });
      checkKey(entry, 'secretRef', { follow, path });
    });
  }
}

interface Site {
  readonly follow: Follow;
  readonly path: (...steps: Path) => Path;
}

const kindOfField: Readonly<Record<string, string>> = {
  configMapKeyRef: 'ConfigMap',
  configMapRef: 'ConfigMap',
  configMap: 'ConfigMap',
  secretKeyRef: 'Secret',
  secretRef: 'Secret',
};

function checkKey(holder: Json, field: string, { follow, path }: Site): void {
  const reference = mappingAt(holder, field);
  if (reference === undefined || reference['optional'] === true) return;
  follow(kindOfField[field]!, reference['name'], () => path(field, 'name'));
}

function checkVolume(volume: Json, site: Site): void {
  const { follow, path } = site;
  checkKey(volume, 'configMap', site);
  const secret = mappingAt(volume, 'secret');
  if (secret !== undefined && secret['optional'] !== true)
    follow('Secret', secret['secretName'], () => path('secret', 'secretName'));
  const claim = mappingAt(volume, 'persistentVolumeClaim');
  if (claim !== undefined)
    follow('PersistentVolumeClaim', claim['claimName'], () => path('persistentVolumeClaim', 'claimName'));
  listAt(mappingAt(volume, 'projected'), 'sources').forEach((source, index) => {
    checkKey(source, 'configMap', { follow, path: (...steps) => path('projected', 'sources', index, ...steps) });
    const projected = mappingAt(source, 'secret');
    if (projected === undefined || projected['optional'] === true) return;
    follow('Secret', projected['name'], () => path('projected', 'sources', index, 'secret', 'name'));
  });
}
