import { quote } from '../../../diagnostics/index.ts';
import {
  checkPortName,
  explainImageReference,
  has,
  listAt,
  mappingAt,
  parseImageReference,
  textAt,
} from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { podProblems } from './problems.ts';

/** Finds mistakes that the API server accepts but that keep the pod from running or becoming ready. */
export function checkPod(spec: JsonObject, report: ReportAt): void {
  const containers = containersOf(spec);
  for (const { container, path } of containers) checkPortNames(container, path, report);
  for (const { of, path } of findRoots(spec, containers)) {
    report(podProblems.create('container-as-root', { of }), propertyOf(path));
  }
}

interface ContainersCheck {
  /** Volume types, by name. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly report: ReportAt;
}

/** Checks the containers of a pod one by one. The main container comes first. */
export function checkContainers(spec: JsonObject, { volumes, report: reportAt }: ContainersCheck): void {
  const containers = containersOf(spec);
  const main = containers.find(({ path }) => path[0] === 'containers')!;
  const mainName = textAt(main.container, 'name');
  const report: ReportAt = (diagnostic, path, at) => reportAt(diagnostic, propertyOf(path), at);
  const taken = new Set<string>();
  for (const { container, path } of [main, ...containers.filter((other) => other !== main)]) {
    checkImage(container, path, report);
    const name = textAt(container, 'name');
    if (name !== undefined && taken.has(name)) {
      report(podProblems.create('container-name-taken', { name, isMain: name === mainName }), [...path, 'name']);
    }
    if (name !== undefined) taken.add(name);
    checkEnvFiles(container, path, { volumes, report });
    checkLifecycle(container, path, report);
  }
}

/** The containers with their paths in the pod spec. */
function containersOf(spec: JsonObject) {
  const placed: { readonly container: JsonObject; readonly path: Path }[] = [];
  for (const list of ['initContainers', 'containers']) {
    for (const [index, container] of listAt(spec, list).entries()) {
      if (isJsonObject(container)) placed.push({ container, path: [list, index] });
    }
  }
  return placed;
}

const handlers: readonly (readonly string[])[] = [
  ['startupProbe'],
  ['livenessProbe'],
  ['readinessProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
];
const actions = ['httpGet', 'tcpSocket'];

function checkPortNames(container: JsonObject, path: Path, report: ReportAt): void {
  for (const place of handlers) {
    if (!Object.hasOwn(container, place[0]!)) continue;
    const handler = place.reduce<JsonObject | undefined>((inner, step) => mappingAt(inner, step), container);
    for (const action of actions) {
      const port = textAt(mappingAt(handler, action), 'port');
      if (port === undefined) continue;
      const names = listAt(container, 'ports').flatMap((entry) => textAt(entry, 'name') ?? []);
      // An invalid port name is reported by the Kubernetes schema.
      if (names.includes(port) || checkPortName(port) !== undefined) continue;
      const property = propertyOf([...path, ...place, action, 'port']);
      report(podProblems.create('probe-port-unknown', { port, names }), property);
    }
  }
}

/** Warns about images that are not pinned and rejects invalid ones. */
function checkImage(container: JsonObject, path: Path, report: ReportAt): void {
  const image = textAt(container, 'image');
  if (image === undefined) {
    report(podProblems.create('image-missing', { container: textAt(container, 'name') ?? '' }), path);
    return;
  }
  const reference = parseImageReference(image);
  if (reference === undefined) {
    const reason = explainImageReference(image) ?? '';
    report(podProblems.create('image-invalid', { image, reason }), [...path, 'image']);
  } else if (reference.digest === undefined && (reference.tag === undefined || reference.tag === 'latest')) {
    report(podProblems.create('image-not-pinned', { image, tag: reference.tag }), [...path, 'image']);
  }
}

/** Checks variables read from a file, which an init container writes to a shared emptyDir. */
function checkEnvFiles(container: JsonObject, path: Path, { volumes, report }: ContainersCheck): void {
  for (const [index, entry] of listAt(container, 'env').entries()) {
    const volume = textAt(mappingAt(mappingAt(entry, 'valueFrom'), 'fileKeyRef'), 'volumeName');
    if (volume === undefined || volumes.get(volume) === 'emptyDir') continue;
    const names = [...volumes.keys()].filter((name) => volumes.get(name) === 'emptyDir');
    const args = { variable: textAt(entry, 'name') ?? '', volume, type: volumes.get(volume), names };
    const place = [...path, 'env', index, 'valueFrom', 'fileKeyRef', 'volumeName'];
    report(podProblems.create('env-file-volume', args), place);
  }
}

/** The schema still allows a hook handler that always fails. */
function checkLifecycle(container: JsonObject, path: Path, report: ReportAt): void {
  for (const [hook, handler] of Object.entries(mappingAt(container, 'lifecycle') ?? {})) {
    if (!has(handler, 'tcpSocket')) continue;
    report(podProblems.create('lifecycle-tcp-socket', { hook }), [...path, 'lifecycle', hook, 'tcpSocket'], 'key');
  }
}

/** Containers with both root as user and runAsNonRoot, and the path of the user in the pod spec. */
export function findRoots(spec: JsonObject, containers = containersOf(spec)) {
  if (!setsUser(spec) && !containers.some(({ container }) => setsUser(container))) return [];
  const ofPod = mappingAt(spec, 'securityContext') ?? {};
  const roots = containers.flatMap(({ container, path }) => {
    const own = mappingAt(container, 'securityContext') ?? {};
    const isOwn = has(own, 'runAsUser');
    const user = isOwn ? own['runAsUser'] : ofPod['runAsUser'];
    const nonRoot = has(own, 'runAsNonRoot') ? own['runAsNonRoot'] : ofPod['runAsNonRoot'];
    if (user === undefined || Number(user) !== 0 || nonRoot !== true) return [];
    const of = `container ${quote(textAt(container, 'name') ?? '')}`;
    return [{ of, path: [...(isOwn ? path : []), 'securityContext', 'runAsUser'] }];
  });
  // A setting of the pod is reported once, even if several containers inherit it.
  return roots.filter(
    ({ path }, index) => path.length > 2 || roots.findIndex((root) => root.path.length === 2) === index,
  );
}

/** A cheap test first: most containers set no user. */
function setsUser(holder: JsonObject): boolean {
  return Object.hasOwn(holder, 'securityContext');
}

const probes: Readonly<Record<string, string>> = {
  startupProbe: 'startup',
  livenessProbe: 'liveness',
  readinessProbe: 'readiness',
};

/** The property that a part of the pod comes from. */
function propertyOf(path: Path): Path {
  const [list, index, part, ...rest] = path;
  if (list === 'securityContext') return ['podSecurityContext', ...path.slice(1)];
  if (list !== 'containers') return path;
  if (typeof index === 'number' && index > 0) return ['sidecars', index - 1, ...path.slice(2)];
  const probe = Object.hasOwn(probes, part!) ? probes[part!] : undefined;
  return probe === undefined ? [part!, ...rest] : ['probes', probe, ...rest];
}
