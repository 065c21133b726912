import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CorpusObject } from './read-corpus.ts';
import type { Answer } from './verdicts.ts';
import { schemaLocation } from './write-store-schemas.ts';

interface Question {
  readonly program: string;
  readonly objects: readonly CorpusObject[];
  /** Writes the schemas into a directory, laid out as `schemaLocation` says. */
  readonly writeSchemas: (directory: string) => void;
}

/** What `kubeconform -strict` says about each object. */
export function askKubeconform({ program, objects, writeSchemas }: Question): readonly Answer[] {
  const directory = mkdtempSync(join(tmpdir(), 'kurel-corpus-'));
  try {
    const [schemas, manifests] = [join(directory, 'schemas'), join(directory, 'manifests')];
    writeSchemas(schemas);
    mkdirSync(manifests);
    for (const [index, { text }] of objects.entries()) writeFileSync(join(manifests, `${index}.yaml`), text);
    const { stdout, stderr } = spawnSync(
      program,
      ['-strict', '-n', '1', '-output', 'json', '-verbose', '-schema-location', schemaLocation(schemas), manifests],
      { encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    if (stderr !== '') throw new Error(stderr);
    return readAnswers(stdout, objects);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readAnswers(stdout: string, objects: readonly CorpusObject[]): readonly Answer[] {
  const { resources } = JSON.parse(stdout) as {
    resources: readonly { readonly filename: string; readonly status: string; readonly msg: string }[];
  };
  const byFile = new Map(resources.map((resource) => [/(\d+)\.yaml$/.exec(resource.filename)![1]!, resource]));
  return objects.map(({ id }, index) => {
    const { status, msg } = byFile.get(String(index))!;
    return { id, verdict: verdictOf(status, msg), message: msg };
  });
}

function verdictOf(status: string, message: string): string {
  if (status === 'statusValid') return 'valid';
  if (status === 'statusInvalid') return 'invalid';
  // kubeconform gives up on objects whose metadata is not an object, before it looks for a schema.
  return message.startsWith('could not find schema') ? 'no-schema' : 'unreadable';
}
