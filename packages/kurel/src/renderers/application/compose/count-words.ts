import type { Path } from '../../../model/index.ts';
import type { KubernetesCheck } from '../documents/findings.ts';
import type { Composing } from './composition.ts';

/** The check of properties in the words of Kubernetes, that remembers which component or trait has some. */
export function countWords({ checkKubernetes, worded }: Composing, maker: Path): KubernetesCheck | undefined {
  if (checkKubernetes === undefined) return undefined;
  return (field, value, place) => {
    worded.add(maker.join('/'));
    checkKubernetes(field, value, place);
  };
}

export function hasWords({ worded }: Composing, maker: Path): boolean {
  return worded.has(maker.join('/'));
}
