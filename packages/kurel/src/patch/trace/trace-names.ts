import type { Location } from '../../model/index.ts';
import type { Template } from '../../parameters/index.ts';
import type { Step } from '../patch.ts';
import { traceTemplate } from './trace-data.ts';
import type { Take } from './trace-data.ts';

export function traceNames(templates: readonly (Template | undefined)[], location: Location, take: Take): void {
  for (const template of templates) {
    if (template !== undefined) traceTemplate(template, { field: undefined, location, take }, 'name');
  }
}

export function templatesIn(step: Step): readonly Template[] {
  if (step.type === 'field') return [step.name];
  if (step.type === 'match') return step.conditions.map(({ value }) => value);
  if (step.type === 'insert') return templatesIn(step.at);
  return step.type === 'delete' && step.what !== undefined && step.what.type !== 'from-end'
    ? templatesIn(step.what)
    : [];
}
