import { explainImageReference, has, listAt, mappingAt, parseImageReference, textAt } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { podProblems } from './problems.ts';

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

/** The property that a part of the pod comes from. */
function propertyOf(path: Path): Path {
  const [list, index, ...rest] = path;
  if (list !== 'containers') return path;
  return index === 0 ? rest : ['sidecars', Number(index) - 1, ...rest];
}
