import { describeObject, nameOf, namespaceOf } from '../kube/index.ts';
import { compareText, isDeviceName, type KubeObject, type OutputFile } from '../model/index.ts';
import { groupBy } from '../provenance/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';
import { indentJson, writeObject } from './write-object.ts';

/** Writes each object to the path from `pathOf`, which has no extension. */
export function layOutOneFileEach(
  input: LayoutInput,
  pathOf: (object: KubeObject, index: number) => string,
): readonly OutputFile[] {
  const { objects, format, report } = input;
  const taken = new Map<string, KubeObject>();
  const files: OutputFile[] = [];
  for (const [index, object] of objects.entries()) {
    const path = `${pathOf(object, index)}.${format}`;
    const subject = { object, path: ['metadata', 'name'] };
    if (nameOf(object) === '') {
      report(layoutProblems.create('output-name', { object: describeObject(object) }, { subject }));
      continue;
    }
    // Case is folded because many file systems do not distinguish it.
    const other = taken.get(path.toLowerCase());
    if (other !== undefined) {
      const args = { path, first: describeObject(other), second: describeObject(object) };
      const related = [{ message: 'the first one is here', object: other, path: subject.path }];
      report(layoutProblems.create('output-collision', args, { subject: { ...subject, related } }));
      continue;
    }
    taken.set(path.toLowerCase(), object);
    const text = writeObject(object, input);
    if (text !== undefined) files.push({ path, text });
  }
  return files;
}

/** One file per object, `[NNN-]<kind>-<name>[-<namespace>]`, in one directory. */
export function layOutFlat(input: LayoutInput): readonly OutputFile[] {
  const { objects, options } = input;
  const width = Math.max(3, String(objects.length).length);
  return layOutOneFileEach(input, (object, index) => {
    const namespace = namespaceOf(object);
    const stem = fileStemOf(object.kind.toLowerCase(), nameOf(object), ...(namespace === '' ? [] : [namespace]));
    return options?.index === true ? `${String(index + 1).padStart(width, '0')}-${stem}` : stem;
  });
}

const longest = 200;

/**
 * A file name without extension that is valid on every file system: names of some kinds may contain `:` and capitals, so every
 * unsafe character becomes `%XX`.
 */
export function fileStemOf(...parts: readonly string[]): string {
  const stem = parts.map((part) => part.replaceAll(/[^A-Za-z0-9._-]|^\.+/gu, escapeBytes)).join('-');
  const short = stem.length <= longest ? stem : `${stem.slice(0, longest - 9)}-${shortHash(stem)}`;
  // Device names on Windows, and the file name that marks a kustomization.
  const isTaken = isDeviceName(short) || short.toLowerCase() === 'kustomization';
  return isTaken ? escapeBytes(short[0]!) + short.slice(1) : short;
}

function escapeBytes(characters: string): string {
  const bytes = new TextEncoder().encode(characters);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** FNV-1a, to distinguish shortened names; a clash is still reported as a collision. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** One file for all objects with the same name from `stemOf`, sorted by name. */
export function layOutGroups(input: LayoutInput, stemOf: (object: KubeObject) => string): readonly OutputFile[] {
  const { format, dropped = [] } = input;
  const partial = new Set(dropped.map(stemOf));
  const written = input.objects.flatMap((object) => {
    const text = writeObject(object, input);
    return text === undefined ? [] : [{ stem: stemOf(object), text }];
  });
  const files = Array.from(
    groupBy(written, ({ stem }) => stem),
    ([stem, group]) => {
      const texts = group.map(({ text }) => text);
      const text = format === 'json' ? joinList(texts) : texts.join('---\n');
      return { path: `${stem}.${format}`, text, isPartial: partial.has(stem) || undefined };
    },
  );
  return files.sort((a, b) => compareText(a.path, b.path));
}

/** A List, the only form in which both kubectl and kustomize accept several objects in a JSON file. */
function joinList(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!;
  const items = texts.map((text) => indentJson(text, '    ')).join(',\n');
  return `{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [\n${items}\n  ]\n}\n`;
}
