import { askOracle } from '../oracles/schema/ask-oracle.ts';
import type { CorpusObject } from './read-corpus.ts';
import type { Answer } from './verdicts.ts';

interface Question {
  readonly root: string;
  readonly objects: readonly CorpusObject[];
  /** CustomResourceDefinitions; of two for one kind the last counts. */
  readonly definitions: readonly unknown[];
}

/** What Kubernetes' own code says about each object. */
export function askKubernetes({ root, objects, definitions }: Question): readonly Answer[] {
  return askOracle(root, [
    ...definitions.map((definition) => ({ definition })),
    ...objects.map(({ id, object }) => ({ id, object })),
  ]);
}
