import { gvkOf, podSiteOf } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';

/** The objects with the specs of their pods changed; those without pods stay as they are. */
export function changePods(
  objects: readonly KubeObject[],
  change: (spec: JsonObject) => JsonObject,
): readonly KubeObject[] {
  return objects.map((object) => {
    const gvk = gvkOf(object);
    const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
    return pod === undefined ? object : (putAt(object, pod.specPath, change(pod.spec)) as KubeObject);
  });
}

function putAt(mapping: JsonObject, path: Path, value: JsonObject): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = mapping[step];
  return { ...mapping, [step]: putAt(isJsonObject(inner) ? inner : {}, rest, value) };
}
