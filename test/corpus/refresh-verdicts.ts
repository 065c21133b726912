import { join } from 'node:path';

import { askKubeconform } from './ask-kubeconform.ts';
import { askKubernetes } from './ask-kubernetes.ts';
import { mutateObjects } from './mutate-objects.ts';
import { openStore } from './open-store.ts';
import { readCorpus } from './read-corpus.ts';
import { digestOf, groupVerdicts, writeVerdicts } from './verdicts.ts';
import type { Answer, Verdicts } from './verdicts.ts';
import { writeStoreSchemas } from './write-store-schemas.ts';

interface RefreshOptions {
  readonly root: string;
  /** Print what they have to say, too. */
  readonly explain: boolean;
  readonly writeSourceSchemas: (directory: string, version: string) => void;
  readonly readDefinitions: () => readonly unknown[];
}

/** Writes down what others say about every object of the corpus. */
export function refreshVerdicts({ root, explain, writeSourceSchemas, readDefinitions }: RefreshOptions): void {
  const cases = join(root, 'test', 'corpus', 'cases');
  const { objects } = readCorpus(join(cases, 'manifests'));
  const all = [...objects, ...mutateObjects(objects)];
  const judges: Record<string, Verdicts['judges'][string]> = {};
  const keep = (judge: string, answers: readonly Answer[]): void => {
    judges[judge] = groupVerdicts(answers);
    if (explain) for (const { id, message } of answers) if (message !== '') console.log(`${judge}\t${id}\t${message}`);
  };
  const ask = (writeSchemas: (directory: string) => void): readonly Answer[] =>
    askKubeconform({ program: join(root, '.tools', 'bin', 'kubeconform'), objects: all, writeSchemas });
  for (const version of ['1.31', '1.37']) {
    const answers = ask((directory) => writeStoreSchemas(directory, openStore(root, version)));
    keep(`kubeconform with the store ${version}`, answers);
  }
  const answers = ask((directory) => writeSourceSchemas(directory, '1.37'));
  keep('kubeconform with the sources 1.37', answers);
  keep('Kubernetes 1.37', askKubernetes({ root, objects: all, definitions: readDefinitions() }));
  writeVerdicts(join(cases, 'verdicts.json'), { digest: digestOf(all), judges });
}
