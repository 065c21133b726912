export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | '>' | '<';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, each once; empty for `exists` and `!`. */
  readonly values: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

/** All of its requirements must hold; without any it matches everything. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  matches(labels: Labels): boolean;
  /** A text that `parseLabelSelector` reads as the same selector. */
  toString(): string;
}

export function createLabelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  const tests = requirements.map(compileRequirement);
  return {
    requirements,
    matches: (labels) => tests.every((test) => test(labels)),
    toString: () => requirements.map(formatRequirement).join(','),
  };
}

function compileRequirement({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [value = ''] = values;
  const read = (labels: Labels): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  switch (operator) {
    case 'exists':
      return (labels) => read(labels) !== undefined;
    case '!':
      return (labels) => read(labels) === undefined;
    case '=':
    case '==':
      return (labels) => read(labels) === value;
    case '!=':
      return (labels) => read(labels) !== value;
    case 'in':
    case 'notin': {
      const set = new Set<string | undefined>(values);
      const wanted = operator === 'in';
      return (labels) => set.has(read(labels)) === wanted;
    }
    default: {
      const limit = parseInteger(value)!;
      return (labels) => {
        const number = parseInteger(read(labels) ?? '');
        return number !== undefined && (operator === '>' ? number > limit : number < limit);
      };
    }
  }
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`;
  return `${key}${operator}${values[0]}`;
}

const largest = 2n ** 63n - 1n;

/** A 64-bit integer; exact, where a double would take neighbours for equals. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,64}$/.test(text)) return undefined;
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return value > largest || value < -largest - 1n ? undefined : value;
}
