import type { NamedTransformer } from '../../index.ts';
import type { FlagValues } from '../command.ts';
import { transformersOf } from '../flags-to-pipeline.ts';
import type { JqAllowance } from '../flags-to-pipeline.ts';
import type { InputFlags } from '../input-flags.ts';

type Flags = FlagValues<InputFlags>;

/** What flags change, each of them by itself, so that it can be told which one did it. */
export function readSteps(flags: Flags, allowance: JqAllowance): readonly NamedTransformer[] {
  const nothing = { 'name-prefix': undefined, 'name-suffix': undefined, label: [], annotation: [], jq: [] } as const;
  const alone = (only: Partial<Flags>, words: string, sets?: NamedTransformer['sets']): readonly NamedTransformer[] =>
    transformersOf({ ...flags, ...nothing, ...only }, allowance).map((transform) => ({ words, sets, transform }));
  const { 'name-prefix': prefix, 'name-suffix': suffix, label, annotation, jq } = flags;
  const keyOf = (pair: string): string => pair.slice(0, pair.indexOf('='));
  return [
    ...(prefix === undefined ? [] : alone({ 'name-prefix': prefix }, `--name-prefix ${prefix}`)),
    ...(suffix === undefined ? [] : alone({ 'name-suffix': suffix }, `--name-suffix ${suffix}`)),
    ...label.flatMap((pair) => alone({ label: [pair] }, `--label ${pair}`, ['metadata', 'labels', keyOf(pair)])),
    ...annotation.flatMap((pair) =>
      alone({ annotation: [pair] }, `--annotation ${pair}`, ['metadata', 'annotations', keyOf(pair)]),
    ),
    ...jq.flatMap((program) => alone({ jq: [program] }, `--jq '${program}'`)),
  ];
}
