import { decodeObjects } from '../../kube/index.ts';
import type { Budget, KubeObject, Report } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { PatchPackage } from './patch-package.ts';

/** The CustomResourceDefinitions of a package, from `schemas/crds/` and from its resources, each with the file it is in. */
export function decodeDefinitions(
  { definitions, path }: PatchPackage,
  base: readonly KubeObject[],
  { report, budget }: { readonly report: Report; readonly budget?: Budget | undefined },
): ReadonlyMap<KubeObject, string> {
  const found = new Map<KubeObject, string>();
  for (const source of definitions) {
    const { documents, diagnostics } = readYaml(source, { budget });
    for (const diagnostic of diagnostics) report(diagnostic);
    for (const { object } of decodeObjects(documents, { file: source.path, report })) found.set(object, source.path);
  }
  for (const object of base) if (object.kind === 'CustomResourceDefinition') found.set(object, path);
  return found;
}
