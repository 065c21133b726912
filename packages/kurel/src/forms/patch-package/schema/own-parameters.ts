import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path, SourceFile, Values } from '../../../model/index.ts';
import { findParameterOrigin } from '../../../parameters/index.ts';
import type { ParameterLayer } from '../../../parameters/index.ts';
import { locateInYaml } from '../../../yaml/index.ts';

/** Parameters that a package or its local extension defines. The first layer that has a parameter determines its value. */
export function ownParameters(layers: readonly ParameterLayer[]): Values {
  let own: JsonObject = {};
  for (const { data } of layers) own = withMissing(own, data);
  return own;
}

function withMissing(known: JsonObject, more: JsonObject): JsonObject {
  const joined = new Map<string, Json>(Object.entries(known));
  for (const [key, value] of Object.entries(more)) {
    const before = joined.get(key);
    if (before === undefined) joined.set(key, value);
    else if (isJsonObject(before) && isJsonObject(value)) joined.set(key, withMissing(before, value));
  }
  return Object.fromEntries(joined);
}

/** Finds the comment above a parameter in the file that defines it. */
export function createOwnComments(layers: readonly ParameterLayer[]): (path: Path) => string | undefined {
  const readers = new Map(layers.map((layer) => [layer, createCommentReader(layer.source)]));
  // The first layer that has a parameter defines it.
  const ranked = layers.toReversed();
  return (path) => {
    const origin = findParameterOrigin(ranked, path);
    return origin === undefined ? undefined : readers.get(origin.layer)?.(path);
  };
}

/** Finds the comment directly above the key at a path, as one line of text. */
function createCommentReader(source: SourceFile): (path: Path) => string | undefined {
  const { text, path: file } = source;
  if (!text.includes('#')) return () => undefined;
  // `# parameters.yaml` does not describe the first parameter.
  const ownName = file.slice(file.lastIndexOf('/') + 1);
  return (path) => {
    const range = locateInYaml(source, { file, document: 0, path, at: 'key' });
    if (range === undefined) return undefined;
    const start = text.lastIndexOf('\n', range.start - 1) + 1;
    const indentation = text.slice(start, range.start);
    // In a flow map, or after a dash, a key does not start its line.
    if (indentation.trim() !== '') return undefined;
    const words = linesAbove(text, start, indentation).map(readLine);
    const parsed = words.filter((word) => word !== undefined && word !== ownName).join(' ');
    return parsed === '' ? undefined : parsed;
  };
}

/** Comment lines with the same indentation directly above a line. */
function linesAbove(text: string, from: number, indentation: string): readonly string[] {
  const lines: string[] = [];
  for (let end = from - 1; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (!line.startsWith(`${indentation}#`)) break;
    lines.unshift(line.slice(indentation.length));
    end = start - 1;
  }
  return lines;
}

/** Headings, rulers and editor directives do not describe a key; some documentation generators use `# -- `. */
function readLine(line: string): string | undefined {
  if (/^##.*##$/.test(line)) return undefined;
  const words = line.replace(/^#+/, '').trim().replace(/^-- +/, '');
  return /[\p{L}\p{N}]/u.test(words) && !/^(?:yaml-language-server:|@)/.test(words) ? words : undefined;
}
