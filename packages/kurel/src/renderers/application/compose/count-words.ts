import type { Path } from '../../../model/index.ts';
import type { KubernetesCheck } from '../documents/findings.ts';
import type { Composing } from './composition.ts';

/** The check of properties in the words of Kubernetes, that remembers which component or trait has some. */
export function countWords({ checkKubernetes, worded }: Composing, maker: Path): KubernetesCheck | undefined {
  if (checkKubernetes === undefined) return undefined;
  const key = keyOf(maker);
  return (field, value, place) => {
    worded.add(key);
    checkKubernetes(field, value, place);
  };
}

export function hasWords({ worded }: Composing, maker: Path): boolean {
  return worded.has(keyOf(maker));
}

/** Components stand at spec.components[i], their traits at spec.components[i].traits[j]. */
function keyOf(maker: Path): string {
  return `${maker[2]} ${maker[4]}`;
}
