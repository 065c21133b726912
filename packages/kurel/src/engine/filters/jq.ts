import type { Filter } from '../../model/index.ts';
import { JqError, compileJq } from '../jq-program.ts';
import type { JqOptions } from '../jq-program.ts';
import { pureIf } from '../steps.ts';

export function jqFilter(expression: string, options?: JqOptions): Filter {
  const run = compileJq(expression, options);
  // A custom function could change its input.
  return pureIf(options?.functions === undefined, (object, context) => {
    const result = run(object, context);
    if (typeof result === 'boolean') return result;
    throw new JqError('type', expression, { message: 'a filter must return a boolean' });
  });
}
