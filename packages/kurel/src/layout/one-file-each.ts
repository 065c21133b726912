import { describeObject, nameOf, namespaceOf } from '../kube/index.ts';
import type { KubeObject, OutputFile } from '../model/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';
import { indentJson, joinDocuments, writeObject } from './write-object.ts';

/** A file for each object, at the path that `pathOf` gives without its ending. */
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
    // Case is folded: on many disks two names that differ only in case are one file.
    const other = taken.get(path.toLowerCase());
    if (other !== undefined) {
      const args = { path, first: describeObject(other), second: describeObject(object) };
      const related = [{ message: 'the first is here', object: other, path: subject.path }];
      report(layoutProblems.create('output-collision', args, { subject: { ...subject, related } }));
      continue;
    }
    taken.set(path.toLowerCase(), object);
    const text = writeObject(object, input);
    if (text !== undefined) files.push({ path, text });
  }
  return files;
}

/** One object a file, `[NNN-]<kind>-<name>[-<namespace>]`, all in one directory. */
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
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * A file name without its ending that every disk takes, of texts that may be anything: names of some kinds may hold `:` and
 * capitals, and everything a disk could take amiss becomes `%XX`.
 */
export function fileStemOf(...parts: readonly string[]): string {
  const stem = parts.map(escapePart).join('-');
  const short = stem.length <= longest ? stem : `${stem.slice(0, longest - 9)}-${shortHash(stem)}`;
  return isTaken(short) ? escapeBytes(short[0]!) + short.slice(1) : short;
}

function escapePart(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]|^\.+/gu, escapeBytes);
}

/** Names that Windows keeps for devices, and the one by which kustomize, Flux and Argo CD know a kustomization. */
function isTaken(stem: string): boolean {
  return deviceName.test(stem) || stem.toLowerCase() === 'kustomization';
}

function escapeBytes(characters: string): string {
  const bytes = new TextEncoder().encode(characters);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** FNV-1a: enough to tell names apart that were cut; a clash is still found as a collision. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** A file for all objects to which `stemOf` gives the same name, in the order of their names. */
export function layOutGroups(input: LayoutInput, stemOf: (object: KubeObject) => string): readonly OutputFile[] {
  const { format, dropped = [] } = input;
  const partial = new Set(dropped.map(stemOf));
  const groups = new Map<string, string[]>();
  for (const object of input.objects) {
    const text = writeObject(object, input);
    if (text === undefined) continue;
    const stem = stemOf(object);
    const group = groups.get(stem);
    if (group === undefined) groups.set(stem, [text]);
    else group.push(text);
  }
  return [...groups]
    .map(([stem, texts]) => ({
      path: `${stem}.${format}`,
      text: format === 'json' ? joinList(texts) : joinDocuments(texts),
      isPartial: partial.has(stem) || undefined,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** As a List, the only form in which both kubectl and kustomize take several objects from a JSON file. */
function joinList(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!;
  const items = texts.map((text) => indentJson(text, '    ')).join(',\n');
  return `{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [\n${items}\n  ]\n}\n`;
}
