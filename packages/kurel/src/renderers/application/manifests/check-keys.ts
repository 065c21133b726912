import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Path, Report, SourceFile } from '../../../model/index.ts';
import { locateInYaml } from '../../../yaml/index.ts';
import type { YamlDocument } from '../../../yaml/index.ts';
import { manifestProblems } from './problems.ts';

const words = /^(?:y|yes|on|n|no|off)$/i;

/** Words that are keys to most people, and booleans to Kubernetes. */
export function checkKeys({ index, data }: YamlDocument, source: SourceFile, report: Report): void {
  if (data !== undefined) walk(data, []);

  function walk(value: Json, path: Path): void {
    if (isJsonArray(value)) for (const [position, item] of value.entries()) walk(item, [...path, position]);
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) {
      if (key === 'true' || key === 'false') checkKey(key, [...path, key]);
      walk(value[key]!, [...path, key]);
    }
  }

  function checkKey(key: string, path: Path): void {
    const location = { file: source.path, document: index, path, at: 'key' } as const;
    const range = locateInYaml(source, location);
    const word = range === undefined ? '' : source.text.slice(range.start, range.end);
    if (words.test(word)) report(manifestProblems.create('manifest-key-boolean', { word, key }, { location }));
  }
}
