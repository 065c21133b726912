import { diffObjects, hideSecrets } from '../../index.ts';
import type { BuildResult, ObjectsDifference } from '../../index.ts';
import { findSecretWords } from '../../provenance/index.ts';

/** What a comparison uses of a build. */
export interface ComparedBuild extends Pick<BuildResult, 'objects' | 'store'> {
  /** Namespace of objects that name none, if the input is a chart. */
  readonly releaseNamespace?: string | undefined;
  /** Values of parameters that end up in a Secret. */
  readonly secretWords: readonly string[];
}

export function comparedBuildOf({ objects, store, rendering }: BuildResult): ComparedBuild {
  const { releaseNamespace } = rendering.facts;
  return { objects, store, releaseNamespace, secretWords: findSecretWords(rendering) };
}

/**
 * The objects of two builds, matched by the merge keys of the later one. Values of Secrets are removed here, so that no format can show
 * them.
 */
export function compareBuilds(before: ComparedBuild, after: ComparedBuild): ObjectsDifference {
  const store = () => (after.store ?? before.store)!().with([...before.objects, ...after.objects], () => 'the input');
  const releaseNamespace = before.releaseNamespace ?? after.releaseNamespace;
  const difference = diffObjects(before.objects, after.objects, { store, releaseNamespace });
  return hideSecrets(difference, [...before.secretWords, ...after.secretWords]);
}
