import { describeObject, nameOf } from '../kube/index.ts';
import type { KubeObject, OutputFile } from '../model/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';
import { writeObject } from './write-object.ts';

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
