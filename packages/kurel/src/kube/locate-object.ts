import type { KubeObject, Location, OriginTable, Path } from '../model/index.ts';

/** Where an object, or something in it, stands in the text that it came from. */
export function locateObject(object: KubeObject, origins: OriginTable, path: Path = []): Location | undefined {
  const { text, locate } = origins.get(object) ?? {};
  if (text === undefined) return locate?.(path);
  return { file: text.source.path, document: text.document, path: [...(text.path ?? []), ...path] };
}
