import type { FieldStep, FromEndStep, Step } from '../patch.ts';

/** The same text for the same steps and for no others, however they are spelled; of plain names it is the path itself. */
export function encodeSteps(steps: readonly Step[]): string {
  let code = '';
  for (const step of steps) code += `${code === '' ? '' : '.'}${encodeStep(step)}`;
  return code;
}

function encodeStep(step: Step | FromEndStep): string {
  switch (step.type) {
    case 'field':
      return encodeField(step);
    case 'index':
      return `[${step.index}]`;
    case 'match':
      return `[${step.conditions.map(({ path, value }) => `${path.map(encodeText).join()}=${encodeText(value.text)}`).join()}]`;
    case 'insert':
      return `[${step.where}${encodeStep(step.at)}]`;
    case 'delete':
      return `[delete${step.what === undefined ? '' : `=${encodeStep(step.what)}`}]`;
    case 'from-end':
      return `[-${step.count}]`;
    default:
      return `[${step.type}]`;
  }
}

const plainName = /^(?![0-9]+$)[\p{L}\p{M}\p{N}_/@~%:-]+$/u;

/** Quotes that change nothing do not count; around digits they do, for then no index is meant. */
function encodeField({ name: { text }, quoted }: FieldStep): string {
  return quoted && !plainName.test(text) ? encodeText(text) : text;
}

function encodeText(text: string): string {
  return `"${text.length}:${text}"`;
}
