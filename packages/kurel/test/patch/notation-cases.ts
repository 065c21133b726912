import type { FieldPatch, FromEndStep, Patch, PatchValue, Step, Target } from '../../src/patch/patch.ts';

/** Steps as the tables of the tests write them: one word each, quoted keys and values in JSON's quotes. */
export function showSteps(steps: readonly Step[]): string {
  return steps.map(showStep).join(' ');
}

function showStep(step: Step | FromEndStep): string {
  switch (step.type) {
    case 'field':
      return step.quoted ? JSON.stringify(step.name.text) : step.name.text;
    case 'index':
      return `#${step.index}`;
    case 'match':
      return step.conditions.map(({ path, value }) => `${path.join('/')}=${JSON.stringify(value.text)}`).join('&');
    case 'all':
      return '<all>';
    case 'append':
      return '<append>';
    case 'insert':
      return `<${step.where}:${showStep(step.at)}>`;
    case 'delete':
      return step.what === undefined ? '<delete>' : `<delete:${showStep(step.what)}>`;
    default:
      return `last-${step.count}`;
  }
}

/** A patch on one line: target | steps | value. */
export function showPatch(patch: Patch): string {
  const { target, steps, value } = patch as FieldPatch;
  return `${showTarget(target)} | ${showSteps(steps)} | ${showValue(value)}`;
}

function showTarget(target: Target): string {
  if (target.type !== 'header') return `<${target.type}>`;
  const { namespace, kind, group, name, quoted } = target;
  const shownName = quoted ? JSON.stringify(name.text) : name.text;
  return `${namespace === undefined ? '' : `${namespace.text} `}${kind.text} ${group === undefined ? '' : `@${group.text} `}${shownName}`;
}

const marks = { plain: '', quoted: '"', block: '|' } as const;

function showValue(value: PatchValue): string {
  if (value.type === 'scalar') return `${marks[value.style]}${JSON.stringify(value.template.text)}`;
  if (value.type !== 'item') return `<${value.type}>`;
  return `{${value.entries.map((entry) => `${showSteps(entry.steps)}: ${showValue(entry.value)}`).join(', ')}}`;
}
