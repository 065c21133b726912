import { DiagnosticError, quote } from '../diagnostics/index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Json, Values } from '../model/index.ts';
import type { Assignment } from './parse-assignment.ts';
import { parameterProblems } from './problems.ts';

/** New values with one path set; everything else is shared with the old values. */
export function applyAssignment(values: Values, assignment: Assignment): Values {
  return place(values, 0, assignment) as Values;
}

function place(current: Json | undefined, depth: number, assignment: Assignment): Json {
  const step = assignment.path[depth];
  if (step === undefined) return assignment.value;
  if (typeof step === 'string') {
    if (current !== undefined && current !== null && !isJsonObject(current)) {
      throw conflict(assignment, `${before(assignment, depth)} is not an object`);
    }
    const mapping = current ?? {};
    const inner = Object.hasOwn(mapping, step) ? mapping[step] : undefined;
    return { ...mapping, [step]: place(inner, depth + 1, assignment) };
  }
  const list = current ?? [];
  if (!Array.isArray(list)) throw conflict(assignment, `${before(assignment, depth)} is not a list`);
  if (step > list.length) {
    const count = list.length === 1 ? '1 item' : `${list.length} items`;
    throw conflict(assignment, `index ${step} would leave a gap in ${before(assignment, depth)}, which has ${count}`);
  }
  return list.toSpliced(step, 1, place(list[step] as Json | undefined, depth + 1, assignment));
}

function before({ path }: Assignment, depth: number): string {
  const steps = path.slice(0, depth);
  return steps.length === 0
    ? 'the values'
    : quote(
        steps
          .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
          .join('')
          .slice(1),
      );
}

function conflict(assignment: Assignment, reason: string): DiagnosticError {
  const { source } = assignment;
  const location = { file: source.path, range: { start: 0, end: source.text.length } };
  return new DiagnosticError([parameterProblems.create('set-conflict', { text: source.text, reason }, { location })]);
}
