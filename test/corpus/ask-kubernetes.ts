import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { writeJson } from '../../packages/kurel/src/yaml/index.ts';
import type { CorpusObject } from './read-corpus.ts';
import type { Answer } from './verdicts.ts';

const go = process.platform === 'win32' ? 'go.exe' : 'go';

interface Question {
  readonly root: string;
  readonly objects: readonly CorpusObject[];
  /** CustomResourceDefinitions; of two for one kind the last counts. */
  readonly definitions: readonly unknown[];
}

/** What Kubernetes' own code says about each object. */
export function askKubernetes({ root, objects, definitions }: Question): readonly Answer[] {
  const lines = [
    ...definitions.map((definition) => JSON.stringify({ definition })),
    ...objects.map(({ id, object }) => `{"id":${JSON.stringify(id)},"object":${oneLine(writeJson(object))}}`),
  ];
  const { stdout, stderr, status } = spawnSync(go, ['run', '.'], {
    cwd: join(root, 'test', 'oracles', 'schema'),
    encoding: 'utf8',
    input: lines.join('\n'),
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [id, verdict, message] = JSON.parse(line) as [string, string, string];
      return { id, verdict, message };
    });
}

/** Line ends inside strings are escaped in JSON, so all others are layout. */
function oneLine(json: string): string {
  return json.replaceAll(/\n\s*/g, '');
}
