import { join } from 'node:path';

import { askKubernetes } from '../corpus/ask-kubernetes.ts';
import { mutateKinds } from './mutate-kinds.ts';
import { readObjects } from './read-objects.ts';
import { digestOf, mutationOptions, writeKindVerdicts } from './verdicts.ts';

interface RefreshOptions {
  readonly root: string;
  /** Print what Kubernetes has to say, too. */
  readonly explain: boolean;
}

/** Asks Kubernetes' own code about every mutation, and keeps what it says. */
export function refreshVerdicts({ root, explain }: RefreshOptions): void {
  const kinds = readObjects(root);
  const originals = kinds.flatMap(({ kind, objects }) =>
    objects.map((object, index) => ({ kind, object, id: `${kind} ${index}` })),
  );
  const mutated = mutateKinds(kinds, mutationOptions);
  const all = mutated.flatMap(({ kind, mutations }) =>
    mutations.map(({ object }, index) => ({ kind, object, id: `${kind} mutation ${index}` })),
  );
  const objects = [...originals, ...all].map(({ id, object }) => ({ id, object, text: '' }));
  const answers = new Map(askKubernetes({ root, objects, definitions: [] }).map((answer) => [answer.id, answer]));
  const invalid = originals.filter(({ id }) => answers.get(id)?.verdict !== 'valid');
  if (invalid.length > 0) throw new Error(invalid.map(({ id }) => `${id}: ${answers.get(id)?.message}`).join('\n'));
  if (explain) for (const { id, verdict, message } of answers.values()) console.log(`${id}\t${verdict}\t${message}`);
  const verdictOf = ({ kind, mutations }: (typeof mutated)[number]): string =>
    mutations.map((_, index) => (answers.get(`${kind} mutation ${index}`)!.verdict === 'valid' ? '1' : '0')).join('');
  writeKindVerdicts(join(root, 'test', 'api-server', 'verdicts.json'), {
    digest: digestOf(mutated),
    kinds: Object.fromEntries(mutated.map((kind) => [kind.kind, verdictOf(kind)])),
  });
}
