import { compileGoPattern } from '../../schema/index.ts';
import type { GoPattern } from '../../schema/index.ts';

interface PatternRun {
  /** The patterns that rules of this run have used, each paid for once. */
  readonly patterns: Map<string, GoPattern | undefined>;
  readonly spend: (steps: number) => void;
}

const stepsOfInstruction = 8;
/** Instructions that may have been compiled before a pattern turned out to be invalid. */
const unreadable = 1000;

/** Compiles a pattern of a rule, and pays for one search in a text. */
export function readPattern(pattern: string, text: string, { patterns, spend }: PatternRun): GoPattern {
  if (!patterns.has(pattern)) {
    const compiled = compileGoPattern(pattern);
    patterns.set(pattern, compiled);
    // Rules can build any number of patterns, and each is kept.
    spend(pattern.length + stepsOfInstruction * (compiled?.size ?? unreadable));
  }
  const expression = patterns.get(pattern);
  if (expression === undefined) throw new Error(`${pattern} is not a valid regular expression`);
  spend((text.length * expression.size) / 4);
  return expression;
}
