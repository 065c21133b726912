import type { FieldStep, FromEndStep, Step } from '../patch.ts';

/** A unique string for the steps, however they are spelled; for plain names, the path itself. */
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

/** Quotes matter only around digits, which are then a key and not an index. */
function encodeField({ name: { text }, quoted }: FieldStep): string {
  return quoted && !plainName.test(text) ? encodeText(text) : text;
}

function encodeText(text: string): string {
  return `"${text.length}:${text}"`;
}
