import { isDeepStrictEqual } from 'node:util';
import { LabelSelectorError, parseLabelSelector } from '../../packages/kurel/src/kube/index.ts';
import { attempt, check, type Target } from '../target.ts';

const isRefusal = (error: unknown): boolean => error instanceof LabelSelectorError;

export const labelSelector: Target = {
  name: 'label-selector',
  promise: 'a selector is accepted or refused, and reads back as the same selector',
  seeds: () => [
    '',
    'a',
    '!a',
    'a=b',
    'app=web,tier in (front,back),!legacy',
    'x.io/y notin (), z > 3',
    'in in (in)',
    'a==b,c!=d,e<-5',
  ],
  tokens: [
    'a',
    'x.io/b',
    '=',
    '==',
    '!=',
    '!',
    ',',
    ' in ',
    ' notin ',
    '(',
    ')',
    '(a,b)',
    '>',
    '<',
    ' ',
    '9223372036854775808',
    '-1',
    '__proto__',
  ],
  short: 15_000,
  run(text) {
    const selector = attempt(() => parseLabelSelector(text), isRefusal);
    if (selector === undefined) return;
    const again = parseLabelSelector(selector.toString());
    check(isDeepStrictEqual(again.requirements, selector.requirements), 'the text of a selector reads as the selector');
    for (const labels of [
      {},
      { a: 'b' },
      { 'x.io/b': '7' },
      JSON.parse('{"__proto__": "a"}') as Record<string, string>,
    ])
      check(selector.matches(labels) === again.matches(labels), 'both match alike');
  },
};
