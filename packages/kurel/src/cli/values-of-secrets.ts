import { mappingAt } from '../kube/index.ts';
import { isKubeObject } from '../model/index.ts';
import type { KubeObject } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';

/** The texts that a Secret holds. */
export function valuesOfSecret(object: KubeObject): readonly string[] {
  if (object.kind !== 'Secret') return [];
  const [plain, encoded] = ['stringData', 'data'].map((field) =>
    Object.values(mappingAt(object, field) ?? {}).filter((value) => typeof value === 'string'),
  );
  return [...plain!, ...encoded!.map((value) => Buffer.from(value, 'base64').toString('utf8'))];
}

// Shorter values, such as "admin", are parts of many other words.
const shortest = 8;

/** Lines of the values of Secrets in files that kurel has written, of builds that nothing else is known about. */
export function findWordsOfSecrets(texts: readonly string[]): readonly string[] {
  const objects = texts
    .filter((text) => /kind["']?: *["']?Secret\b/.test(text))
    .flatMap((text) => {
      const { documents } = readYaml({ path: 'output', text });
      return documents.flatMap(({ data = null }) => (isKubeObject(data) ? [data] : []));
    });
  const lines = objects.flatMap(valuesOfSecret).flatMap((value) => value.split('\n'));
  return [...new Set(lines.map((line) => line.trim()))].filter(({ length }) => length >= shortest);
}
