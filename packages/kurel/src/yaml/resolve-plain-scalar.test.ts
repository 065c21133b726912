import { describe, expect, it } from 'vitest';
import { resolvePlainScalar } from './resolve-plain-scalar.ts';

// The rules themselves are compared with kubectl in read-yaml.oracle.test.ts; these cases cannot occur in a document.
describe('resolvePlainScalar', () => {
  it.each(['.inf', '+.INF', '-.Inf', '.nan', '.NaN'])('%s is a number, so that a writer quotes it', (text) => {
    expect(typeof resolvePlainScalar(text)).toBe('number');
  });

  it.each(['a', 'x: y', '1Gi', '2001-01-01', '1:30', 'nope', '-', '+', '.', 'e3'])('%s stays a string', (text) => {
    expect(resolvePlainScalar(text)).toBe(text);
  });
});
