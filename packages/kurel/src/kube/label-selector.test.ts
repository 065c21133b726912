import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import type { JsonObject } from '../model/index.ts';
import { LabelSelectorError, labelSelectorFromObject, parseLabelSelector } from './index.ts';
import { createLabelSelector } from './label-selector.ts';
import type { LabelRequirement } from './label-selector.ts';

type Labels = Readonly<Record<string, string>>;

describe('selectors and what they match', () => {
  it.each<[string, readonly Labels[], readonly Labels[]]>([
    ['', [{}, { a: '1' }], []],
    ['  ', [{}, { a: '1' }], []],
    ['k', [{ k: '' }, { k: 'v' }], [{}, { a: 'k' }]],
    ['!k', [{}, { a: '1' }], [{ k: '' }, { k: 'v' }]],
    ['k=v', [{ k: 'v' }], [{}, { k: '' }, { k: 'w' }]],
    ['k==v', [{ k: 'v' }], [{}, { k: 'w' }]],
    ['k=', [{ k: '' }], [{}, { k: 'v' }]],
    ['k!=v', [{}, { k: 'w' }, { k: '' }], [{ k: 'v' }]],
    ['k!=', [{}, { k: 'v' }], [{ k: '' }]],
    ['k in (a,b)', [{ k: 'a' }, { k: 'b' }], [{}, { k: 'c' }, { k: '' }]],
    ['k in ()', [{ k: '' }], [{}, { k: 'a' }]],
    ['k in (a,)', [{ k: 'a' }, { k: '' }], [{}, { k: 'b' }]],
    ['k notin (a,b)', [{}, { k: 'c' }, { k: '' }], [{ k: 'a' }, { k: 'b' }]],
    ['k>5', [{ k: '6' }, { k: '10' }], [{}, { k: '5' }, { k: '4' }, { k: 'x' }, { k: '' }, { k: '6.5' }]],
    ['k<5', [{ k: '4' }, { k: '-1' }, { k: '04' }], [{}, { k: '5' }, { k: 'x' }]],
    ['k>9007199254740992', [{ k: '9007199254740993' }], [{ k: '9007199254740992' }, { k: '9223372036854775808' }]],
    ['a=1,b,!c', [{ a: '1', b: '' }], [{ a: '1' }, { a: '1', b: '', c: '' }, { b: '' }]],
    ['in in (notin)', [{ in: 'notin' }], [{}]],
    ['a=in, notin', [{ a: 'in', notin: '' }], [{ a: 'in' }]],
    ['constructor', [{ constructor: '' }], [{}]],
    ['example.com/app = web', [{ 'example.com/app': 'web' }], [{ app: 'web' }]],
  ])('%j', (text, matching, others) => {
    const selector = parseLabelSelector(text);
    for (const labels of matching) expect(selector.matches(labels), JSON.stringify(labels)).toBe(true);
    for (const labels of others) expect(selector.matches(labels), JSON.stringify(labels)).toBe(false);
  });
});

describe('refusals', () => {
  it.each([
    ['a=1,', 4, 'expected a key, got the end'],
    [',a', 0, 'expected a key, got ","'],
    ['a=1=2', 3, 'expected "," or the end, got "="'],
    ['a in 1', 5, 'expected "(", got "1"'],
    ['a in (1', 7, 'expected "," or ")", got the end'],
    ['a=b c', 4, 'expected "," or the end, got "c"'],
    ['a exists', 2, 'expected an operator, got "exists"'],
    ['!a=1', 2, 'expected "," or the end, got "="'],
    ['a>x', 2, 'expected an integer after ">", got "x"'],
    ['a>', 2, 'expected an integer after ">", got ""'],
    ['a<9223372036854775808', 2, 'expected an integer after "<"'],
    ['a,-b', 2, 'key "-b" must consist of letters, digits'],
    ['a/b/c', 0, 'key "a/b/c" must have at most one "/"'],
    ['A.com/x', 0, 'key "A.com/x" has an invalid prefix: it must consist of lower-case'],
    ['a.com/', 0, 'key "a.com/" has an invalid name after "/": it must not be empty'],
    ['a=b/c', 2, 'value "b/c" must consist of letters'],
    ['a in (x, -y)', 9, 'value "-y" must consist of letters'],
    [`a=${'v'.repeat(64)}`, 2, 'must have at most 63 characters, not 64'],
    ['!', 1, 'expected a key, got the end'],
    ['a=(', 2, 'expected a value, got "("'],
  ])('%j at %d: %s', (text, position, message) => {
    let caught: unknown;
    try {
      parseLabelSelector(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(LabelSelectorError);
    const error = caught as LabelSelectorError;
    expect(error.message).toContain(message);
    expect(error.position).toBe(position);
    expect(diagnosticsOf(error)!.map(({ code }) => code)).toEqual(['label-selector-invalid']);
  });

  it('reads or rejects any text, and does nothing else', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '1', '!', '=', ',', '(', ')', '>', '<', ' ', 'in', 'é', '\u0000'),
    });
    fc.assert(
      fc.property(text, (text) => {
        try {
          const selector = parseLabelSelector(text);
          expect(parseLabelSelector(selector.toString()).requirements).toEqual(selector.requirements);
        } catch (error) {
          expect(error).toBeInstanceOf(LabelSelectorError);
          expect((error as LabelSelectorError).position).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});

describe('toString', () => {
  it('prints the same selector', () => {
    const key = fc.constantFrom('a', 'in', 'notin', 'example.com/name', 'A_b-c.d');
    const value = fc.constantFrom('', 'x', 'in', '1', 'A.b');
    const values = fc.uniqueArray(value, { minLength: 1 }).map((list) => list.sort());
    const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
      fc.record({ key, operator: fc.constantFrom('exists' as const, '!' as const), values: fc.constant([]) }),
      fc.record({
        key,
        operator: fc.constantFrom('=' as const, '==' as const, '!=' as const),
        values: fc.tuple(value),
      }),
      fc.record({ key, operator: fc.constantFrom('in' as const, 'notin' as const), values }),
      fc.record({ key, operator: fc.constantFrom('>' as const, '<' as const), values: fc.tuple(fc.nat().map(String)) }),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const text = createLabelSelector(requirements).toString();
        expect(parseLabelSelector(text).requirements).toEqual(requirements);
      }),
    );
  });
});

describe('labelSelectorFromObject', () => {
  it.each<[JsonObject, string]>([
    [{}, ''],
    [{ matchLabels: { app: 'web', tier: '' } }, 'app=web,tier='],
    [
      { matchLabels: { tier: null }, matchExpressions: [{ key: 'a', operator: 'In', values: ['x', null] }] },
      'tier=,a in (,x)',
    ],
    [
      {
        matchLabels: null,
        matchExpressions: [
          { key: 'a', operator: 'In', values: ['y', 'x', 'x'] },
          { key: 'b', operator: 'NotIn', values: ['z'] },
          { key: 'c', operator: 'Exists' },
          { key: 'd', operator: 'DoesNotExist', values: [] },
        ],
      },
      'a in (x,y),b notin (z),c,!d',
    ],
  ])('%j', (selector, expected) => {
    expect(labelSelectorFromObject(selector).toString()).toBe(expected);
  });

  it.each<[JsonObject, readonly string[]]>([
    [{ matchLabel: {} }, ['unknown field "matchLabel"; did you mean "matchLabels"?']],
    [{ matchLabels: ['a'] }, ['"matchLabels" must be an object']],
    [{ matchLabels: { a: 1, '-b': 'x' } }, ['value of label "a" must be a string', 'key "-b" must consist of']],
    [{ matchLabels: { a: 'b/c' } }, ['value "b/c" must consist of']],
    [{ matchExpressions: {} }, ['"matchExpressions" must be a list of objects']],
    [{ matchExpressions: [{}] }, ['has no "key"', 'unknown operator ""; use In, NotIn, Exists or DoesNotExist']],
    [
      { matchExpressions: [{ key: 'a', operator: 'in', values: ['x'] }] },
      ['unknown operator "in"; did you mean "In"?'],
    ],
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, ['operator "In" requires "values"']],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: [1] }] }, ['"values" must be a list of strings']],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
      ['operator "Exists" does not allow "values"'],
    ],
  ])('refuses %j', (selector, reasons) => {
    const refusal = labelSelectorFromObject(selector);
    for (const reason of reasons) expect(refusal).toContain(reason);
  });
});
