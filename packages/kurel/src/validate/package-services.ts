import { getOrAdd } from '../budget/index.ts';
import { describeValue, quote } from '../diagnostics/index.ts';
import { containersOf, listAt, mappingAt, nameOf, numberAt, podLabels, textAt, textEntries } from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../model/index.ts';
import { isAddedLabel } from './added-labels.ts';
import type { LabelEntries, ObjectTable, PackageCheck, Subject } from './object-table.ts';
import type { PodSite } from '../kube/index.ts';
import { reportMissing } from './package-references.ts';

/** Checks the selectors and target ports of Services against the pods of the build. */
export function checkServices({ object, gvk, namespace }: Subject, check: PackageCheck): void {
  if (gvk.kind !== 'Service' || gvk.group !== '') return;
  const spec = mappingAt(object, 'spec');
  const selector = mappingAt(spec, 'selector');
  if (spec === undefined || selector === undefined || spec['type'] === 'ExternalName') return;
  const labels = Object.entries(textEntries(selector));
  if (labels.length === 0) return;
  const pods = check.table.podsWith(namespace, labels);
  if (pods.length > 0) checkTargetPorts(object, { spec, pods, check });
  else {
    const near =
      describeElsewhere(check.table.podElsewhere(labels)) ??
      describeNear(labels, (label) => check.table.podsWith(namespace, [label])[0]);
    const text = labels.map((entry) => entry.join('=')).join(',');
    check.findings.add(object, { path: ['spec', 'selector'], at: 'key' }, [
      'selector-without-pods',
      { selector: text, near },
    ]);
  }
}

/** A Service only selects pods in its own namespace. */
function describeElsewhere(match: ReturnType<ObjectTable['podElsewhere']>): string | undefined {
  if (match === undefined) return undefined;
  const { pod, namespace } = match;
  const place = namespace === '' ? 'have no namespace' : `are in namespace ${quote(namespace)}`;
  return `use the same namespace for both: ${describePods([pod])} match, but ${place}`;
}

type Label = LabelEntries[number];

/** Proposes pods that have at least one of the labels. */
function describeNear(labels: LabelEntries, findPod: (label: Label) => PodSite | undefined): string | undefined {
  const close = labels.map(findPod).find((pod) => pod !== undefined);
  const wrong = close === undefined ? undefined : labels.find(([key, value]) => podLabels(close)[key] !== value);
  if (close === undefined || wrong === undefined) return undefined;
  if (isAddedLabel(wrong[0])) {
    return `change the selector: ${describePods([close])} never get the label ${quote(wrong.join('='))}`;
  }
  const label = describeLabel(podLabels(close), wrong[0]);
  return `change the selector or the labels: ${describePods([close])} almost match, but ${label}`;
}

function describeLabel(labels: JsonObject, key: string): string {
  const value = labels[key];
  return typeof value === 'string' ? `their label ${quote(key)} is ${quote(value)}` : `have no label ${quote(key)}`;
}

interface Targets {
  readonly spec: JsonObject;
  readonly pods: readonly PodSite[];
  readonly check: PackageCheck;
}

/** A port name works only if it is declared. */
function checkTargetPorts(object: KubeObject, { spec, pods, check }: Targets): void {
  const asked = listAt(spec, 'ports');
  const declared = pods.map(portsOf).filter(({ list }) => list.length > 0);
  if (declared.length === 0 && !asked.some((port) => typeof targetOf(port) === 'string')) return;
  asked.forEach((port, index) => {
    const target = targetOf(port);
    if (target === undefined || declared.some(({ targets }) => targets.has(target))) return;
    const field = isJsonObject(port) && port['targetPort'] !== undefined ? 'targetPort' : 'port';
    // A container may listen on a port that it does not declare. Clients of a headless Service connect to pods directly.
    const isCertain = typeof target === 'string' || (field === 'port' && spec['clusterIP'] !== 'None');
    const code = isCertain ? 'port-missing' : 'port-undeclared';
    reportPort(object, { code, target, path: ['spec', 'ports', index, field], pods, check });
  });
}

/** Checks the port names of NetworkPolicies: a rule with a name that no selected pod declares allows nothing. */
export function checkPolicyPorts({ object, gvk, namespace }: Subject, check: PackageCheck): void {
  if (gvk.kind !== 'NetworkPolicy' || gvk.group !== 'networking.k8s.io') return;
  const spec = mappingAt(object, 'spec');
  const asked = listAt(spec, 'ingress').flatMap((rule, index) =>
    listAt(rule, 'ports').flatMap((port, position) => {
      const target = textAt(port, 'port');
      // An empty name is an error of its own.
      return target === undefined || target === ''
        ? []
        : { target, path: ['spec', 'ingress', index, 'ports', position, 'port'] };
    }),
  );
  if (asked.length === 0) return;
  const selector = mappingAt(spec, 'podSelector');
  const labels = Object.entries(textEntries(mappingAt(selector, 'matchLabels')));
  // Other selectors may select pods that are not part of the build.
  if (labels.length === 0 || listAt(selector, 'matchExpressions').length > 0) return;
  const pods = check.table.podsWith(namespace, labels);
  if (pods.length === 0) return;
  for (const { target, path } of asked) {
    if (!pods.some((pod) => portsOf(pod).targets.has(target)))
      reportPort(object, { code: 'port-missing', target, path, pods, check });
  }
}

interface MissingPort extends Omit<Targets, 'spec'> {
  readonly code: 'port-missing' | 'port-undeclared';
  readonly target: string | number;
  readonly path: Path;
}

function reportPort(object: KubeObject, { code, target, path, pods, check }: MissingPort): void {
  if (pods.some((pod) => hidesPorts(pod, check))) return;
  const declared = pods.map(portsOf).filter(({ list }) => list.length > 0);
  const ports = declared.slice(0, mostDescribed).flatMap(({ list }) => list.slice(0, mostDescribed));
  const exposed = [...new Set(ports.flatMap(describePort))].slice(0, mostDescribed);
  const args = { port: describeValue(target), holder: describePods(pods), exposed, names: namesOf(ports) };
  check.findings.add(object, { path }, [code, args]);
}

/** Whether a misspelled key, which is reported, hides ports of a pod. */
function hidesPorts(pod: PodSite, { findings }: PackageCheck): boolean {
  const { object, specPath } = pod;
  const ofContainers = containersOf(pod).map(({ list, index }) => [list, index, 'ports']);
  return [['containers'], ...ofContainers].some((path) => findings.hasTypoOf(object, [...specPath, ...path]));
}

function namesOf(ports: readonly Json[]): readonly string[] {
  return ports.flatMap((port) => textAt(port, 'name') ?? []);
}

const mostDescribed = 20;

interface PodPorts {
  readonly list: readonly Json[];
  /** The values that targetPort may have: port names and numbers. */
  readonly targets: ReadonlySet<string | number>;
}

// Cached because several Services may select the same pods.
const portsByPod = new WeakMap<PodSite, PodPorts>();

function portsOf(pod: PodSite): PodPorts {
  return getOrAdd(portsByPod, pod, () => {
    const list = containersOf(pod).flatMap(({ container }) => listAt(container, 'ports'));
    const targets = list.flatMap((port) => [textAt(port, 'name') ?? [], numberAt(port, 'containerPort') ?? []].flat());
    return { list, targets: new Set(targets) };
  });
}

function targetOf(port: Json): string | number | undefined {
  if (!isJsonObject(port)) return undefined;
  const target = port['targetPort'] ?? port['port'];
  return typeof target === 'string' || typeof target === 'number' ? target : undefined;
}

function describePods([first, ...rest]: readonly PodSite[]): string {
  const name = `${first!.gvk.kind} ${quote(nameOf(first!.object))}`;
  return rest.length === 0 ? `the pods of ${name}` : `the pods of ${name} and ${rest.length} more`;
}

/** `http (8080)`, or the number alone. */
function describePort(port: Json): readonly string[] {
  const number = numberAt(port, 'containerPort') ?? numberAt(port, 'port');
  const name = textAt(port, 'name');
  if (number === undefined) return [];
  return [name === undefined ? String(number) : `${quote(name)} (${number})`];
}

/** The backend Services of Ingresses and Gateway API routes, and their ports. */
export function checkRoutes(subject: Subject, check: PackageCheck): void {
  const { group, kind } = subject.gvk;
  const visit = (backend: Backend): void => checkBackend(subject.object, backend, check);
  if (group === 'networking.k8s.io' && kind === 'Ingress') eachIngressBackend(subject, visit);
  if (group === 'gateway.networking.k8s.io' && kind.endsWith('Route')) eachRouteBackend(subject, visit);
}

/** Paths are built only for findings. */
interface Backend {
  readonly name: string;
  readonly namePath: () => Path;
  readonly namespace: string;
  readonly port: string | number | undefined;
  readonly portPath: () => Path;
}

type VisitBackend = (backend: Backend) => void;

function eachIngressBackend({ object, namespace }: Subject, visit: VisitBackend): void {
  const spec = mappingAt(object, 'spec');
  const read = (backend: Json | undefined, pathOf: () => Path): void => {
    const service = mappingAt(backend, 'service');
    const name = textAt(service, 'name');
    if (name === undefined) return;
    const port = mappingAt(service, 'port');
    const number = numberAt(port, 'number');
    visit({
      name,
      namePath: () => [...pathOf(), 'service', 'name'],
      namespace,
      port: number ?? textAt(port, 'name'),
      portPath: () => [...pathOf(), 'service', 'port', number === undefined ? 'name' : 'number'],
    });
  };
  read(mappingAt(spec, 'defaultBackend'), () => ['spec', 'defaultBackend']);
  listAt(spec, 'rules').forEach((rule, index) =>
    listAt(mappingAt(rule, 'http'), 'paths').forEach((entry, position) =>
      read(mappingAt(entry, 'backend'), () => ['spec', 'rules', index, 'http', 'paths', position, 'backend']),
    ),
  );
}

function eachRouteBackend({ object, namespace }: Subject, visit: VisitBackend): void {
  listAt(mappingAt(object, 'spec'), 'rules').forEach((rule, index) =>
    listAt(rule, 'backendRefs').forEach((reference, position) => {
      const name = textAt(reference, 'name');
      const isService = (textAt(reference, 'kind') ?? 'Service') === 'Service' && !textAt(reference, 'group');
      if (name === undefined || !isService) return;
      const pathOf = (field: string): Path => ['spec', 'rules', index, 'backendRefs', position, field];
      visit({
        name,
        namePath: () => pathOf('name'),
        namespace: textAt(reference, 'namespace') ?? namespace,
        port: numberAt(reference, 'port'),
        portPath: () => pathOf('port'),
      });
    }),
  );
}

function checkBackend(object: KubeObject, backend: Backend, check: PackageCheck): void {
  const { name, namespace, port } = backend;
  const target = { group: '', kind: 'Service', namespace, name };
  const service = check.table.find(target) ?? reportMissing({ object, path: backend.namePath(), target }, check);
  // An object from which a controller creates the Service does not list its ports.
  const spec = service?.kind === 'Service' ? mappingAt(service, 'spec') : undefined;
  if (service === undefined || spec === undefined || port === undefined || spec['type'] === 'ExternalName') return;
  const ports = listAt(spec, 'ports');
  const isThere = ports.some((entry) =>
    typeof port === 'number' ? numberAt(entry, 'port') === port : textAt(entry, 'name') === port,
  );
  if (isThere) return;
  const related = [{ message: 'the ports of the Service are here', object: service, path: ['spec', 'ports'] }];
  const holder = `Service ${quote(nameOf(service))}`;
  const args = { port: describeValue(port), holder, exposed: ports.flatMap(describePort), names: namesOf(ports) };
  check.findings.add(object, { path: backend.portPath(), related }, ['port-missing', args]);
}
