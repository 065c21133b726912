import { isJsonArray, isJsonObject } from '../../packages/kurel/src/model/index.ts';
import type { Json, KubeObject } from '../../packages/kurel/src/model/index.ts';
import { readYaml, writeJson } from '../../packages/kurel/src/yaml/index.ts';
import { readTexts } from '../../packages/kurel/test/golden-case.ts';

export interface CorpusObject {
  /** `velero/examples/minio.yaml#2`: the file and the number of the document; `#2.5` is an item of a List. */
  readonly id: string;
  /** As its author wrote it. */
  readonly text: string;
  readonly object: KubeObject;
}

export interface Corpus {
  readonly objects: readonly CorpusObject[];
  /** Documents that are not YAML or not Kubernetes objects, with the reason. */
  readonly unread: readonly string[];
}

/** Every object of the manifests under `directory`, in the order of their paths. */
export function readCorpus(directory: string): Corpus {
  const objects: CorpusObject[] = [];
  const unread: string[] = [];
  for (const { path, text } of readTexts(directory, /\.ya?ml$/)) {
    const { documents, diagnostics } = readYaml({ path, text });
    unread.push(...diagnostics.map(({ code, location }) => `${path}#${location?.document}: ${code}`));
    for (const { index, range, data } of documents) {
      if (data === undefined) continue;
      const id = `${path}#${index}`;
      if (isKubeObject(data))
        objects.push(...openLists({ id, text: text.slice(range.start, range.end), object: data }));
      else unread.push(`${id}: not an object of Kubernetes`);
    }
  }
  return { objects, unread };
}

function openLists(found: CorpusObject): CorpusObject[] {
  const { items } = found.object;
  if (!found.object.kind.endsWith('List') || !isJsonArray(items)) return [found];
  return items.flatMap((item, index) =>
    isKubeObject(item) ? [{ id: `${found.id}.${index}`, text: writeJson(item), object: item }] : [],
  );
}

function isKubeObject(data: Json): data is KubeObject {
  return isJsonObject(data) && typeof data['apiVersion'] === 'string' && typeof data['kind'] === 'string';
}
