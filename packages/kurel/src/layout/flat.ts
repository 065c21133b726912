import { describeObject, nameOf, namespaceOf } from '../kube/index.ts';
import type { KubeObject, Location, OriginTable, OutputFile } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { printObject } from './print-object.ts';
import { layoutProblems } from './problems.ts';

/** One object a file, `<kind>-<name>[-<namespace>]`, all in one directory. */
export function layOutFlat({ objects, origins, format, report }: LayoutInput): readonly OutputFile[] {
  const taken = new Map<string, KubeObject>();
  const files: OutputFile[] = [];
  for (const object of objects) {
    const path = `${fileStem(object)}.${format}`;
    const location = locationOf(object, origins);
    if (nameOf(object) === '') {
      report(layoutProblems.create('output-name', { object: describeObject(object) }, { location }));
      continue;
    }
    // Case is folded: on many disks two names that differ only in case are one file.
    const other = taken.get(path.toLowerCase());
    if (other !== undefined) {
      const args = { path, first: describeObject(other), second: describeObject(object) };
      const first = locationOf(other, origins);
      const related = first === undefined ? {} : { related: [{ message: 'the first is here', location: first }] };
      report(layoutProblems.create('output-collision', args, { location, ...related }));
      continue;
    }
    taken.set(path.toLowerCase(), object);
    files.push({ path, text: format === 'json' ? `${writeJson(object)}\n` : printObject(object, origins.get(object)) });
  }
  return files;
}

const MAX_STEM = 200;

function fileStem(object: KubeObject): string {
  const namespace = namespaceOf(object);
  const parts = [object.kind.toLowerCase(), nameOf(object), ...(namespace === '' ? [] : [namespace])];
  const stem = parts.map(escapeForFile).join('-');
  return stem.length <= MAX_STEM ? stem : `${stem.slice(0, MAX_STEM - 9)}-${shortHash(stem)}`;
}

/** Names of some kinds may hold `:` and capitals; everything a disk could take amiss becomes `%XX`. */
function escapeForFile(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]|^\.+/g, (character) =>
    Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

/** FNV-1a: enough to tell names apart that were cut; a clash is still found as a collision. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function locationOf(object: KubeObject, origins: OriginTable): Location | undefined {
  const text = origins.get(object)?.text;
  if (text === undefined) return undefined;
  return { file: text.source.path, document: text.document, path: [...(text.path ?? []), 'metadata', 'name'] };
}
