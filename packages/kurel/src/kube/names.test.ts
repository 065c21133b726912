import { describe, expect, it } from 'vitest';
import {
  checkCIdentifier,
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkEnvVarName,
  checkLabelKey,
  checkLabelValue,
  checkPathSegment,
  checkPortName,
} from './index.ts';

const long = (length: number): string => 'a'.repeat(length);

interface Row {
  readonly check: (text: string) => string | undefined;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  checkDnsLabel: {
    check: checkDnsLabel,
    good: ['a', '1', 'a-b', '0a', long(63)],
    bad: ['', 'A', 'a.b', '-a', 'a-', 'a_b', 'ä', 'a\n', long(64)],
  },
  checkDnsSubdomain: {
    check: checkDnsSubdomain,
    good: ['a', 'a.b', '1.2', 'a-b.c', long(253)],
    bad: ['', 'A', '.a', 'a.', 'a..b', 'a-.b', 'a.-b', 'a_b', long(254)],
  },
  checkDns1035Label: {
    check: checkDns1035Label,
    good: ['a', 'a1', 'a-b', long(63)],
    bad: ['', '1a', 'A', 'a.b', 'a-', '-a', long(64)],
  },
  checkPathSegment: {
    check: checkPathSegment,
    good: ['a', 'system:node', 'A B', '...', long(1000)],
    bad: ['', '.', '..', 'a/b', 'a%b'],
  },
  checkLabelKey: {
    check: checkLabelKey,
    good: ['a', 'A_b.c-1', 'example.com/a', `${long(253)}/${long(63)}`],
    bad: ['', '/', '/a', 'a/', 'a/b/c', 'A.com/x', '-a', 'a-', 'a b', long(64), `${long(254)}/a`],
  },
  checkLabelValue: {
    check: checkLabelValue,
    good: ['', 'a', '1.2_3-4', long(63)],
    bad: ['-a', 'a-', '.a', 'a b', 'a/b', 'ä', long(64)],
  },
  checkPortName: {
    check: checkPortName,
    good: ['http', 'a', '8a', 'http-2', long(15)],
    bad: ['', '80', 'HTTP', 'a--b', '-a', 'a-', 'a_b', long(16)],
  },
  checkCIdentifier: {
    check: checkCIdentifier,
    good: ['A', '_', 'a_1', long(1000)],
    bad: ['', '1a', 'a-b', 'a.b', 'ä'],
  },
  checkEnvVarName: {
    check: checkEnvVarName,
    good: ['A', 'a.b', 'a-b', '_', '-', '.a'],
    bad: ['', '1a', 'a b', 'a=b', '.', '..', '..a', 'ä'],
  },
  'checkEnvVarName, relaxed': {
    check: (text) => checkEnvVarName(text, { relaxed: true }),
    good: ['A', '1a', 'a b', '..', '$x', '~'],
    bad: ['', 'a=b', 'ä', '\n'],
  },
};

describe.each(Object.entries(rows))('%s', (_, { check, good, bad }) => {
  it.each(good)('allows %j', (text) => {
    expect(check(text)).toBeUndefined();
  });

  it.each(bad)('refuses %j', (text) => {
    expect(check(text)).toMatch(/^(?:must|has) /);
  });
});
