import { isDeepStrictEqual } from 'node:util';

import { hiddenText, isSecretField } from '../../index.ts';
import type { FieldTrace, ParameterTrace, TraceStep } from '../../index.ts';
import type { KubeObject } from '../../model/index.ts';

/** A trace whose values may be hidden. */
export interface ShownTrace extends FieldTrace {
  readonly hidden?: true;
  readonly steps: readonly ShownStep[];
}

export interface ShownStep extends TraceStep {
  /** Whether the step changed the value, because hidden values cannot be compared. */
  readonly hides?: 'same' | 'other';
}

/** Traces without the values of Secrets and of the parameters and flags that set them; names and locations remain. */
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

/** Hides values of flags: `--set password=…` contains the value, and a jq program may as well. */
function hideWords(words: string): string {
  return words.replace(/^(--jq)\b[^]*$/, '$1').replace(/^(--[a-z-]+ [^=]*)=[^]*$/, '$1');
}
