import type { JsonObject, Path } from '../../model/index.ts';
import type { SyntaxProblem } from '../kpatch/cursor.ts';
import { gatherItems } from '../kpatch/gather-items.ts';
import type { EntrySection, RawEntry } from '../kpatch/gather-items.ts';
import { parsePath } from '../kpatch/parse-path.ts';
import type { Target } from '../patch.ts';
import { yamlPatchProblems } from './problems.ts';
import { locateKey, locateValue } from './reading.ts';
import type { PatchReading } from './reading.ts';

export type TextTarget = Extract<Target, { readonly type: 'text' }>;

interface FieldOptions {
  /** Without a target, each path determines its object. */
  readonly target: TextTarget | undefined;
  /** Path of the map in the file. */
  readonly path: Path;
}

/** Adds a patch for each `path: value`, in order; consecutive paths into the same new item become one patch. */
export function readFieldPatches(reading: PatchReading, fields: JsonObject, { target, path }: FieldOptions): void {
  const problems = new Map<string, SyntaxProblem>();
  const entries: RawEntry[] = [];
  for (const [key, data] of Object.entries(fields)) {
    const parsed = parsePath(key);
    if ('problem' in parsed) {
      problems.set(key, parsed.problem);
      continue;
    }
    const place = [...path, key];
    entries.push({
      steps: parsed.steps,
      value: { type: 'data', data, location: locateValue(reading, place) },
      text: key,
      location: locateKey(reading, place),
    });
  }
  const section: EntrySection = {
    target: target ?? { type: 'derived' },
    steps: [],
    text: target === undefined ? '' : `[${target.text.text}]`,
  };
  const refuse = (problem: SyntaxProblem, { text }: RawEntry): unknown => problems.set(text, problem);
  for (const patch of gatherItems(entries, { section, refuse })) reading.patches.push(patch);
  reportProblems(reading, { fields, path, problems });
}

interface PathProblems {
  readonly fields: JsonObject;
  readonly path: Path;
  readonly problems: ReadonlyMap<string, SyntaxProblem>;
}

/** Sorted by position, because several checks find them. */
function reportProblems(reading: PatchReading, { fields, path, problems }: PathProblems): void {
  if (problems.size === 0) return;
  for (const key of Object.keys(fields)) {
    const problem = problems.get(key);
    if (problem === undefined) continue;
    const { reason, hint } = problem;
    const location = locateKey(reading, [...path, key]);
    reading.report(yamlPatchProblems.create('patch-path-syntax', { key, reason, hint }, { location }));
  }
}
