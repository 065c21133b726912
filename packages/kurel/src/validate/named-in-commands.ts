import { quote } from '../diagnostics/index.ts';
import { containersOf, listAt, nameOf, textAt } from '../kube/index.ts';
import type { JsonObject, KubeObject } from '../model/index.ts';
import type { PackageCheck, Subject } from './object-table.ts';

/**
 * Jobs and controllers often create Secrets and ConfigMaps whose names they get as arguments, such as `--secret-name=web-admission`.
 * No field says so, so a name in such a text is a sign and no proof.
 */
export function createFindNaming(subjects: readonly Subject[]): PackageCheck['findNaming'] {
  let index: ReadonlyMap<string, readonly KubeObject[]> | undefined;
  return (name, except) => {
    // Built on first use, because most builds have no missing references.
    index ??= indexWords(subjects);
    const workload = index.get(name)?.find((object) => object !== except);
    return workload === undefined ? undefined : `${workload.kind} ${quote(nameOf(workload))}`;
  };
}

const separators = /[\s=,:;"'`/|&()<>{}[\]$]+/;

function indexWords(subjects: readonly Subject[]): ReadonlyMap<string, readonly KubeObject[]> {
  const index = new Map<string, KubeObject[]>();
  for (const { object, pod } of subjects) {
    if (pod === undefined) continue;
    const texts = containersOf(pod).flatMap(({ container }) => textsOf(container));
    for (const word of new Set(texts.flatMap((text) => text.split(separators)))) {
      const objects = index.get(word);
      if (objects === undefined) index.set(word, [object]);
      // Two are enough: one of them may be the object that the reference is in.
      else if (objects.length < 2) objects.push(object);
    }
  }
  return index;
}

function textsOf(container: JsonObject): readonly string[] {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].filter(
    (word) => typeof word === 'string',
  );
  const values = listAt(container, 'env').flatMap((variable) => textAt(variable, 'value') ?? []);
  return [...words, ...values];
}
