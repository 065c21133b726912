import { describe, expect, it } from 'vitest';
import type { Json, KubeObject, Path } from '../model/index.ts';
import type { CausesOf, HistoryEvent } from './field-trace.ts';
import { formatField } from './format-field.ts';
import { traceFields } from './field-tree.ts';
import { spell, spellPlainly } from '../diagnostics/index.ts';

function by(words: string, isExplicit = false): CausesOf {
  return () => [{ kind: 'patch', words, isExplicit }];
}

function set(path: Path, after: Json | undefined, words: string): HistoryEvent {
  return { operation: 'set', path, after, causesOf: by(words) };
}

function objectWith(spec: Json): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', spec };
}

/** Every field below `spec`, with the words of its steps and what they made of it. */
function trace(start: Json, events: readonly HistoryEvent[], end: Json): readonly string[] {
  const object = objectWith(end);
  const traces = traceFields(object, { start: objectWith(start), causesOf: by('base'), events });
  return traces
    .filter(({ path }) => path[0] === 'spec')
    .map(({ path, value, steps }) => {
      const chain = steps.map(({ words, after }) => `${spell(words, spellPlainly)} ${print(after)}`);
      return `${formatField(path, object)}=${print(value)}: ${chain.join(', ')}`;
    });
}

function print(value: Json | undefined): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'gone');
}

interface Case {
  readonly name: string;
  readonly start: Json;
  readonly events: readonly HistoryEvent[];
  readonly end: Json;
  readonly fields: readonly string[];
}

const a = { name: 'a', v: 1 };
const b = { name: 'b', v: 2 };
const c = { name: 'c', v: 3 };

const cases: readonly Case[] = [
  { name: 'nothing happened', start: { x: 1 }, events: [], end: { x: 1 }, fields: ['spec.x=1: base 1'] },
  {
    name: 'a field is changed twice',
    start: { x: 1 },
    events: [set(['spec', 'x'], 2, 'p'), set(['spec', 'x'], 3, 'q')],
    end: { x: 3 },
    fields: ['spec.x=3: base 1, p 2, q 3'],
  },
  {
    name: 'a field is added with its parents',
    start: {},
    events: [set(['spec', 'm', 'n'], 'x', 'p')],
    end: { m: { n: 'x' } },
    fields: ['spec.m.n="x": p "x"'],
  },
  {
    name: 'a field goes, and comes back',
    start: { x: 1 },
    events: [set(['spec', 'x'], undefined, 'p'), set(['spec', 'x'], 2, 'q')],
    end: { x: 2 },
    fields: ['spec.x=2: base 1, p gone, q 2'],
  },
  {
    name: 'an object is removed with everything in it',
    start: { m: { x: 1, l: [{ y: 2 }] }, z: 3 },
    events: [set(['spec', 'm'], undefined, 'p')],
    end: { z: 3 },
    fields: ['spec.z=3: base 3', 'spec.m.x=gone: base 1, p gone', 'spec.m.l[0].y=gone: base 2, p gone'],
  },
  {
    name: 'an item is put in front',
    start: [a, b],
    events: [{ operation: 'insert', path: ['spec', 0], after: c, causesOf: by('p') }, set(['spec', 2, 'v'], 9, 'q')],
    end: [c, a, { name: 'b', v: 9 }],
    fields: [
      'spec[name=c].name="c": p "c"',
      'spec[name=c].v=3: p 3',
      'spec[name=a].name="a": base "a"',
      'spec[name=a].v=1: base 1',
      'spec[name=b].name="b": base "b"',
      'spec[name=b].v=9: base 2, q 9',
    ],
  },
  {
    name: 'an item is taken out',
    start: [a, b],
    events: [{ operation: 'remove', path: ['spec', 0], after: undefined, causesOf: by('p') }],
    end: [b],
    fields: ['spec[name=b].name="b": base "b"', 'spec[name=b].v=2: base 2'],
  },
  {
    name: 'an item is moved, and changed there',
    start: [a, b, c],
    events: [
      { operation: 'move', path: ['spec', 2], from: 0, after: a, causesOf: by('p') },
      set(['spec', 2, 'v'], 9, 'q'),
    ],
    end: [b, c, { name: 'a', v: 9 }],
    fields: [
      'spec[name=b].name="b": base "b"',
      'spec[name=b].v=2: base 2',
      'spec[name=c].name="c": base "c"',
      'spec[name=c].v=3: base 3',
      'spec[name=a].name="a": base "a"',
      'spec[name=a].v=9: base 1, q 9',
    ],
  },
  {
    name: 'the last item is taken out',
    start: ['x'],
    events: [{ operation: 'remove', path: ['spec', 0], after: undefined, causesOf: by('p') }],
    end: [],
    fields: ['spec=[]: p []'],
  },
  {
    name: 'an item is inserted into a missing list',
    start: {},
    events: [{ operation: 'insert', path: ['spec', 'l', 0], after: 'x', causesOf: by('p') }],
    end: { l: ['x'] },
    fields: ['spec.l[0]="x": p "x"'],
  },
  {
    name: 'named items are put in another order, and one of them is changed',
    start: [a, b, c],
    events: [set(['spec'], [{ name: 'c', v: 7 }, a, b], 'p')],
    end: [{ name: 'c', v: 7 }, a, b],
    fields: [
      'spec[name=c].name="c": base "c"',
      'spec[name=c].v=7: base 3, p 7',
      'spec[name=a].name="a": base "a"',
      'spec[name=a].v=1: base 1',
      'spec[name=b].name="b": base "b"',
      'spec[name=b].v=2: base 2',
    ],
  },
  {
    name: 'one named item goes while another comes',
    start: [a, b],
    events: [set(['spec'], [b, c], 'p')],
    end: [b, c],
    fields: [
      'spec[name=b].name="b": base "b"',
      'spec[name=b].v=2: base 2',
      'spec[name=c].name="c": p "c"',
      'spec[name=c].v=3: p 3',
    ],
  },
  {
    name: 'scalar items match by value',
    start: ['x', 'y', 'x'],
    events: [set(['spec'], ['new', 'x', 'y', 'x'], 'p')],
    end: ['new', 'x', 'y', 'x'],
    fields: ['spec[0]="new": p "new"', 'spec[1]="x": base "x"', 'spec[2]="y": base "y"', 'spec[3]="x": base "x"'],
  },
  {
    name: 'a plain item is changed in place',
    start: ['x', 'y'],
    events: [set(['spec'], ['x', 'z'], 'p')],
    end: ['x', 'z'],
    fields: ['spec[0]="x": base "x"', 'spec[1]="z": base "y", p "z"'],
  },
  {
    name: 'an empty mapping is filled',
    start: { m: {} },
    events: [set(['spec', 'm', 'x'], 1, 'p')],
    end: { m: { x: 1 } },
    fields: ['spec.m.x=1: p 1'],
  },
  {
    name: 'an object is emptied',
    start: { m: { x: 1 } },
    events: [set(['spec', 'm'], {}, 'p')],
    end: { m: {} },
    fields: ['spec.m={}: p {}', 'spec.m.x=gone: base 1, p gone'],
  },
  {
    name: 'an object loses its fields, and gets another one',
    start: { m: { x: 1, y: 2 } },
    events: [
      set(['spec', 'm', 'x'], undefined, 'p'),
      set(['spec', 'm', 'y'], undefined, 'q'),
      set(['spec', 'n'], 3, 'r'),
    ],
    end: { m: {}, n: 3 },
    fields: ['spec.m={}: q {}', 'spec.n=3: r 3', 'spec.m.x=gone: base 1, p gone', 'spec.m.y=gone: base 2, q gone'],
  },
  {
    name: 'a large integer is the number that it is',
    start: { x: 80n },
    events: [set(['spec', 'x'], 80, 'p')],
    end: { x: 80 },
    fields: ['spec.x=80: base 80'],
  },
  {
    name: 'nobody says anything about a field',
    start: { x: 1 },
    events: [],
    end: { x: 1, y: [2] },
    fields: ['spec.x=1: base 1', 'spec.y[0]=2: '],
  },
];

describe('traceFields', () => {
  it.each(cases)('$name', ({ start, events, end, fields }) => {
    expect(trace(start, events, end)).toEqual(fields);
  });

  it('records a cause that does not change the value', () => {
    const event: HistoryEvent = { operation: 'set', path: ['spec', 'x'], after: 1, causesOf: by('p', true) };
    expect(trace({ x: 1 }, [event], { x: 1 })).toEqual(['spec.x=1: base 1, p 1']);
  });

  it('keeps keys apart that are special to JavaScript', () => {
    const start = JSON.parse('{"__proto__": 1, "constructor": 2}') as Json;
    const end = JSON.parse('{"__proto__": 1, "constructor": 3}') as Json;
    expect(trace(start, [set(['spec', 'constructor'], 3, 'p')], end)).toEqual([
      'spec.__proto__=1: base 1',
      'spec.constructor=3: base 2, p 3',
    ]);
  });
});
