/** Whether a text is a pattern rather than a name. */
export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/**
 * Compiles a pattern of names: `*` matches within a part, `**` across parts, `?` one character. Every character of the text is compared
 * once per position in the pattern, whatever the pattern is.
 */
export function compileNamePattern(pattern: string): (name: string) => boolean {
  const steps = stepsOf(pattern);
  return (name) => {
    let positions = skipStars(new Set([0]), steps);
    for (const character of name) {
      const next = new Set<number>();
      for (const position of positions) {
        const step = steps[position];
        if (step === undefined || !takes(step, character)) continue;
        next.add(step.repeats ? position : position + 1);
      }
      if (next.size === 0) return false;
      positions = skipStars(next, steps);
    }
    return positions.has(steps.length);
  };
}

interface Step {
  /** Absent for a wildcard. */
  readonly character?: string;
  readonly repeats: boolean;
  readonly crossesParts: boolean;
}

function stepsOf(pattern: string): readonly Step[] {
  return Array.from(pattern.matchAll(/\*+|[^*]/gsu), ([text]) => {
    if (text.startsWith('*')) return { repeats: true, crossesParts: text.length > 1 };
    return text === '?'
      ? { repeats: false, crossesParts: false }
      : { character: text, repeats: false, crossesParts: false };
  });
}

function takes({ character, crossesParts }: Step, found: string): boolean {
  return character === undefined ? crossesParts || found !== '/' : character === found;
}

/** A star also matches nothing. */
function skipStars(positions: Set<number>, steps: readonly Step[]): Set<number> {
  for (const position of positions) if (steps[position]?.repeats === true) positions.add(position + 1);
  return positions;
}
