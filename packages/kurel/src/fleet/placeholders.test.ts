import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fillPlaceholders, findSyntaxProblem, placeholdersIn } from './placeholders.ts';

const values = { app: 'web', cluster: 'berlin' };

describe('placeholders', () => {
  it.each([
    ['rendered/{cluster}/{app}', 'rendered/berlin/web'],
    ['{app}{app}', 'webweb'],
    ['no placeholder', 'no placeholder'],
    ['$app', '$app'],
  ])('fill %s', (text, filled) => {
    expect(fillPlaceholders(text, values)).toEqual({ text: filled });
  });

  it.each([
    ['{team}/{app}', { unknown: 'team' }],
    ['{App}', { unknown: 'App' }],
    ['{constructor}', { unknown: 'constructor' }],
    ['{}', { syntax: '"{}" is not a placeholder' }],
    ['{ app }', { syntax: '"{ app }" is not a placeholder' }],
    ['{app', { syntax: '"{" has no matching brace' }],
    ['app}', { syntax: '"}" has no matching brace' }],
    ['{{app}}', { syntax: '"{" has no matching brace' }],
    ['{app|lower}', { syntax: '"{app|lower}" is not a placeholder' }],
  ])('report %s', (text, problem) => {
    expect(fillPlaceholders(text, values)).toEqual({ text, problem });
  });

  it('are not filled twice: a value with braces stays as it is', () => {
    expect(fillPlaceholders('{a}/{b}', { a: '{b}', b: '$&' })).toEqual({ text: '{b}/$&' });
  });

  it('either fill the whole text or report a problem', () => {
    const part = fc.constantFrom('{app}', '{cluster}', '{x}', '{', '}', 'a', '/', '{}');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        const { text: filled, problem } = fillPlaceholders(text, values);
        if (problem === undefined) expect(filled).not.toMatch(/[{}]/);
        else expect(filled).toBe(text);
        if (findSyntaxProblem(text) === undefined) {
          const isKnown = placeholdersIn(text).every((name) => Object.hasOwn(values, name));
          expect(problem === undefined).toBe(isKnown);
        }
      }),
    );
  });
});
