import { describeObject, locateObject, nameOf, namespaceOf } from '../kube/index.ts';
import type { KubeObject, OutputFile } from '../model/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';
import { writeObject } from './write-object.ts';

/** One object a file, `<kind>-<name>[-<namespace>]`, all in one directory. */
export function layOutFlat(input: LayoutInput): readonly OutputFile[] {
  const { objects, origins, format, report } = input;
  const taken = new Map<string, KubeObject>();
  const files: OutputFile[] = [];
  for (const object of objects) {
    const path = `${fileStem(object)}.${format}`;
    const location = locateObject(object, origins, ['metadata', 'name']);
    if (nameOf(object) === '') {
      report(layoutProblems.create('output-name', { object: describeObject(object) }, { location }));
      continue;
    }
    // Case is folded: on many disks two names that differ only in case are one file.
    const other = taken.get(path.toLowerCase());
    if (other !== undefined) {
      const args = { path, first: describeObject(other), second: describeObject(object) };
      const first = locateObject(other, origins, ['metadata', 'name']);
      const related = first === undefined ? {} : { related: [{ message: 'the first is here', location: first }] };
      report(layoutProblems.create('output-collision', args, { location, ...related }));
      continue;
    }
    taken.set(path.toLowerCase(), object);
    const text = writeObject(object, input);
    if (text !== undefined) files.push({ path, text });
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
