import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  LabelSelectorError,
  formatDuration,
  formatQuantity,
  normalizeImageReference,
  parseDuration,
  parseImageReference,
  parseLabelSelector,
  parseQuantity,
} from './index.ts';
import type { LabelSelector } from './index.ts';

interface Answer {
  readonly input: string;
  readonly refused?: true;
}

interface Results {
  readonly selectors: readonly (Answer & {
    readonly requirements?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values: readonly string[] | null;
    }[];
    readonly matches?: readonly number[];
  })[];
  readonly quantities: readonly (Answer & { readonly canonical?: string; readonly value?: string })[];
  readonly durations: readonly (Answer & { readonly nanoseconds?: string; readonly formatted?: string })[];
  readonly images: readonly (Answer & {
    readonly domain?: string;
    readonly path?: string;
    readonly tag?: string;
    readonly digest?: string;
  })[];
}

const cases = new URL('../../../../test/oracles/kube/cases/', import.meta.url);
const inputs = readJson('inputs.json') as { readonly labels: readonly Readonly<Record<string, string>>[] };
const results = readJson('results.json') as Results;

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, cases), 'utf8'));
}

/** The inputs on which the two differ, for comparison with a list of reasons. */
function differences<A extends Answer>(
  answers: readonly A[],
  ours: (input: string) => unknown,
  theirs: (answer: A) => unknown,
) {
  return answers
    .filter(
      (answer) =>
        JSON.stringify(ours(answer.input)) !== JSON.stringify(answer.refused === true ? 'refused' : theirs(answer)),
    )
    .map(({ input }) => input);
}

function readSelector(text: string): LabelSelector | undefined {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    expect(error).toBeInstanceOf(LabelSelectorError);
    return undefined;
  }
}

describe('kurel and the Kubernetes libraries agree', () => {
  it('on label selectors', () => {
    const operators: Readonly<Record<string, string>> = { gt: '>', lt: '<' };
    const found = differences(
      results.selectors,
      (input) => {
        const selector = readSelector(input);
        if (selector === undefined) return 'refused';
        const requirements = selector.requirements
          .map((one) => JSON.stringify([one.key, one.operator, one.values]))
          .sort();
        return [requirements, inputs.labels.flatMap((labels, index) => (selector.matches(labels) ? [index] : []))];
      },
      ({ requirements = [], matches = [] }) => [
        requirements
          .map(({ key, operator, values }) =>
            JSON.stringify([key, operators[operator] ?? operator, [...(values ?? [])].sort()]),
          )
          .sort(),
        matches,
      ],
    );
    expect(found).toEqual([]);
  });

  it('on quantities', () => {
    // The original reads a string without a digit as zero.
    const withoutDigits = ['.', '-', '+', '+.', 'm', 'Mi', 'E', 'e3'];
    // The original writes 10^21 as "1", for lack of a suffix.
    const withoutSuffix = ['1000E'];
    const found = differences(
      results.quantities,
      (input) => {
        const quantity = parseQuantity(input);
        return quantity === undefined ? 'refused' : [formatQuantity(quantity), decimalOf(quantity.nanos)];
      },
      ({ canonical = '', value = '' }) => [canonical, shortestDecimal(value)],
    );
    expect(found).toEqual([...withoutDigits, ...withoutSuffix]);
  });

  it('on durations', () => {
    // The original multiplies fractions as doubles; this one is exact.
    const exact = ['0.3333333333333333333h'];
    const found = differences(
      results.durations,
      (input) => {
        const nanoseconds = parseDuration(input);
        return nanoseconds === undefined ? 'refused' : [nanoseconds.toString(), formatDuration(nanoseconds)];
      },
      ({ nanoseconds, formatted }) => [nanoseconds, formatted],
    );
    expect(found).toEqual(exact);
  });

  it('on image references', () => {
    // The original reads this as a path without a registry, which no runtime can pull.
    const withoutRegistry = ['a_b.c/d'];
    const found = differences(
      results.images,
      (input) => {
        const parsed = parseImageReference(input);
        if (parsed === undefined) return 'refused';
        const { registry, path, tag, digest } = normalizeImageReference(parsed);
        return [registry, path, tag, digest];
      },
      ({ domain, path, tag, digest }) => [domain, path, tag, digest],
    );
    expect(found).toEqual(withoutRegistry);
  });
});

function decimalOf(nanos: bigint): string {
  const digits = (nanos < 0n ? -nanos : nanos).toString().padStart(10, '0');
  return shortestDecimal(`${nanos < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`);
}

function shortestDecimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
