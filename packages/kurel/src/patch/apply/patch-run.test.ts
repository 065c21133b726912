import { describe, expect, it } from 'vitest';
import { createBudget } from '../../budget/index.ts';
import type { Diagnostic, Json, Values } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import type { Variables } from '../patch.ts';
import { createPatchSubstitution } from './patch-run.ts';

const values = {
  ver: '1.2',
  n: 3,
  f: 1.5,
  big: 9007199254740993n,
  empty: '',
  nothing: null,
  obj: { x: 1, 'a.b': 'dotted' },
  list: ['p', 'q'],
  chained: '${values.ver}-x',
  typed: '${values.n}',
  escaped: '$${values.n}',
  a: '${values.b}',
  b: '${values.c}',
  c: '${values.a}',
  self: '${values.self}',
} satisfies Values;

function fill(text: string, variables: Variables | undefined): { result: Json | undefined; found: Diagnostic[] } {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const substitution = createPatchSubstitution(variables, { report, budget: createBudget() });
  return { result: substitution.fillValue(parseTemplate(text), () => ({ file: 'x.kpatch' }))?.value, found };
}

const alone: Variables = { scope: 'alone', values, features: { dbg: true } };
const inPackage: Variables = { scope: 'package', values };
const ofNames = { 'obj.x': 'named', 'obj.x.y': { z: 'deep' }, 'list.1': 'no item' };
const withNames: Variables = { scope: 'package', values: { ...values, ...ofNames }, hasDottedNames: true };

describe('variables of standalone patches', () => {
  it.each<[string, Json]>([
    ['${values.n}', 3],
    ['${ values.n }', 3],
    ['${values.big}', 9007199254740993n],
    ['${values.f}', 1.5],
    ['${values.empty}', ''],
    ['${values.nothing}', null],
    ['${features.dbg}', true],
    ['img:${values.ver}', 'img:1.2'],
    ['${values.n}${values.f}', '31.5'],
    ['d=${features.dbg}', 'd=true'],
    ['${values.obj.x}', 1],
    ['${values.obj["a.b"]}', 'dotted'],
    ['${values.list[1]}', 'q'],
    ['$${values.n}', '${values.n}'],
    ['${values.chained}', '1.2-x'],
    ['${values.typed}', 3],
    ['${values.escaped}', '${values.n}'],
  ])('%s', (text, result) => {
    expect(fill(text, alone)).toEqual({ result, found: [] });
  });

  it.each<[string, readonly string[], string]>([
    ['${values.nope}', ['reference-undefined'], 'parameter "values.nope" does not exist'],
    ['${values.vre}', ['reference-undefined'], 'did you mean ${values.ver}?'],
    ['${value.n}', ['reference-undefined'], 'did you mean ${values.n}?'],
    ['${other.n}', ['reference-undefined'], 'start the reference with values. or features.'],
    ['${values.list[2]}', ['reference-undefined'], 'values.list[2]'],
    ['${values.obj}', ['reference-not-scalar'], 'got an object'],
    ['x${values.list}', ['reference-not-scalar'], 'got a list'],
    ['${a == b}', ['reference-syntax'], '"${a == b}" is not a valid reference'],
    ['${}', ['reference-syntax'], '"${}" is not a valid reference'],
    ['${values.a}', ['reference-cycle'], 'values.a → values.b → values.c → values.a'],
    ['${values.self}', ['reference-cycle'], 'values.self → values.self'],
    ['${values.nope}${values.obj}', ['reference-undefined', 'reference-not-scalar'], ''],
    ['${values.constructor}', ['reference-undefined'], ''],
    ['${values.__proto__}', ['reference-syntax'], ''],
  ])('%s is rejected', (text, codes, words) => {
    const { result, found } = fill(text, alone);
    expect(result).toBeUndefined();
    expect(found.map(({ code }) => code)).toEqual(codes);
    expect(found.map(({ message, hint }) => `${message}\n${hint ?? ''}`).join('\n')).toContain(words);
  });

  it('rejects variables that expand without end', () => {
    const levels = Array.from({ length: 40 }, (_, level) => [
      `l${level}`,
      `\${values.l${level + 1}}\${values.l${level + 1}}`,
    ]);
    const growing: Values = { ...Object.fromEntries(levels), l40: 'xx' };
    const fillAll = () => fill('${values.l0}', { scope: 'alone', values: growing });
    expect(fillAll).toThrow('exceeds its limit of 1000000 values');
  });
});

describe('variables of packages', () => {
  it.each<[string, Json]>([
    ['${n}', 3],
    ['${values.n}', 3],
    ['${obj}', { x: 1, 'a.b': 'dotted' }],
    ['${list}', ['p', 'q']],
    // Package parameters are already resolved, so a `${…}` in their values is a literal string.
    ['${chained}', '${values.ver}-x'],
  ])('%s', (text, result) => {
    expect(fill(text, inPackage)).toEqual({ result, found: [] });
  });

  it.each<[string, Json]>([
    ['${obj.x}', 'named'],
    ['${values.obj.x}', 'named'],
    ['${obj.x.y}', { z: 'deep' }],
    ['${obj.x.y.z}', 'deep'],
    ['${obj["a.b"]}', 'dotted'],
    ['${list[1]}', 'q'],
  ])('%s among names with dots', (text, result) => {
    expect(fill(text, withNames)).toEqual({ result, found: [] });
  });

  it('does not embed objects in strings', () => {
    expect(fill('x${obj}', inPackage).found.map(({ code }) => code)).toEqual(['reference-not-scalar']);
  });

  it('allows a parameter named values', () => {
    expect(fill('${values.n}', { scope: 'package', values: { values: { n: 1 }, n: 2 } }).result).toBe(1);
  });
});

it('does not create keys with a meaning in JavaScript', () => {
  const found: Diagnostic[] = [];
  const unsafe: Variables = { scope: 'alone', values: { a: '__pro', b: 'to__' } };
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const substitution = createPatchSubstitution(unsafe, { report, budget: createBudget() });
  expect(substitution.fillText(parseTemplate('${values.a}${values.b}'), () => ({ file: 'x' }))).toBeUndefined();
  expect(found.map(({ code }) => code)).toEqual(['reference-unsafe']);
});

it('changes nothing without variables', () => {
  expect(fill('${values.n} $${x}', undefined)).toEqual({ result: '${values.n} $${x}', found: [] });
});

it('looks for a name in a reference of any length', () => {
  const { found } = fill(`\${obj.x.y.z${'.a'.repeat(100_000)}}`, withNames);
  expect(found.map(({ code }) => code)).toEqual(['reference-undefined']);
});
