import { annotationOf, describeObject, identityOf, nameOf, namespaceOf, withNamespace } from '../kube/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { KubeObject, Report } from '../model/index.ts';
import { layoutProblems } from './problems.ts';

/** Reports what kustomize would refuse, leave out or change. */
export function checkForKustomize(objects: readonly KubeObject[], report: Report): void {
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
  // To kustomize an object without a namespace is one in the namespace "default".
  const identity = identityOf(namespaceOf(object) === 'default' ? withNamespace(object, '') : object);
  const twin = seen.get(identity);
  if (twin === undefined) {
    seen.set(identity, object);
    return;
  }
  const path = ['metadata', 'name'];
  const subject = { object, path, related: [{ message: 'the first is here', object: twin, path }] };
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
    // With an internal note that it did not write, kustomize renames the object or breaks down.
    const severity = isInternal ? 'error' : 'warning';
    const args = { object: describeObject(object), annotation: key };
    report(layoutProblems.create('kustomize-annotation', args, { ...placeOf(key), severity }));
  }
}

function annotationKeysOf({ metadata }: KubeObject): readonly string[] {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? Object.keys(annotations) : [];
}
