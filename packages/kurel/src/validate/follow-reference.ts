import { quote } from '../diagnostics/index.ts';
import type { KubeObject, Path } from '../model/index.ts';
import type { PackageCheck, Target } from './object-table.ts';

interface Reference {
  readonly object: KubeObject;
  readonly path: Path;
  readonly target: Target;
}

/** Finds the object that a reference names, and reports when it does not exist. */
export function followReference(
  { object, path, target }: Reference,
  { table, findings }: PackageCheck,
): KubeObject | undefined {
  const found = table.find(target);
  if (found !== undefined || target.name === '') return found;
  findings.add(object, { path }, [
    'reference-missing',
    { target: describeTarget(target), name: target.name, known: () => table.names(target) },
  ]);
  return undefined;
}

/** `Secret "web" in namespace "prod"` */
export function describeTarget({ kind, name, namespace }: Target): string {
  return `${kind} ${quote(name)}${namespace === '' ? '' : ` in namespace ${quote(namespace)}`}`;
}
