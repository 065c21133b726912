import { isDeepStrictEqual } from 'node:util';

import { hiddenText, isSecretField } from '../../index.ts';
import type { FieldTrace, ParameterTrace, TraceStep } from '../../index.ts';
import type { KubeObject } from '../../model/index.ts';

/** A trace that may keep its values back. */
export interface ShownTrace extends FieldTrace {
  readonly hidden?: true;
  readonly steps: readonly ShownStep[];
}

export interface ShownStep extends TraceStep {
  /** Whether it made another value of the one before, which can no longer be seen. */
  readonly hides?: 'same' | 'other';
}

/** The traces without what a Secret holds, nor the parameters and flags that it is made of: only their names and places are left. */
export function hideSecretTraces(traces: readonly FieldTrace[], object: KubeObject): readonly ShownTrace[] {
  return traces.map((trace) => (isSecretField(object, trace.path) ? hideTrace(trace) : trace));
}

function hideTrace({ path, value, steps }: FieldTrace): ShownTrace {
  return { path, value: value === undefined ? undefined : hiddenText, hidden: true, steps: steps.map(hideStep) };
}

function hideStep({ before, after, words, parameters, ...rest }: TraceStep): ShownStep {
  return {
    ...rest,
    words: hideWords(words),
    before: before === undefined ? undefined : hiddenText,
    after: after === undefined ? undefined : hiddenText,
    hides: isDeepStrictEqual(before, after) ? 'same' : 'other',
    parameters: parameters.map(hideParameter),
  };
}

function hideParameter({ value, words, refersTo, ...rest }: ParameterTrace): ParameterTrace {
  return {
    ...rest,
    words: hideWords(words),
    value: value === undefined ? undefined : hiddenText,
    refersTo: refersTo.map(hideParameter),
  };
}

/** Of flags: `--set password=…` says what is set, and a program may hold what it puts in. */
function hideWords(words: string): string {
  return words.replace(/^(--jq)\b[^]*$/, '$1').replace(/^(--[a-z-]+ [^=]*)=[^]*$/, '$1');
}
