import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/index.ts';
import {
  DiagnosticError,
  defineProblems,
  diagnosticsOf,
  shouldUseColor,
  sortDiagnostics,
  sourcesOfError,
  summarise,
} from './index.ts';

const error: Diagnostic = { code: 'e', severity: 'error', message: 'e' };
const warning: Diagnostic = { code: 'w', severity: 'warning', message: 'w' };
const note: Diagnostic = { code: 'n', severity: 'note', message: 'n' };

describe('summarise', () => {
  it.each([
    [[], ''],
    [[error], '1 error'],
    [[warning, error, warning], '1 error, 2 warnings'],
    [[note, note, warning], '1 warning, 2 notes'],
  ])('counts %j', (diagnostics, expected) => {
    expect(summarise(diagnostics)).toBe(expected);
  });
});

describe('shouldUseColor', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '1', TERM: 'dumb' }, true],
  ])('terminal %j with %j → %j', (isTerminal, environment, expected) => {
    expect(shouldUseColor({ isTerminal, environment })).toBe(expected);
  });
});

describe('sortDiagnostics', () => {
  it('sorts by file, place and code, and keeps the order of equals', () => {
    const options = { sources: [{ path: 'a', text: 'x: 1\ny: 2\n' }], locate: () => undefined };
    const make = (code: string, file?: string, start?: number): Diagnostic => ({
      code,
      severity: 'error',
      message: 'm',
      ...(file === undefined
        ? {}
        : { location: { file, ...(start === undefined ? {} : { range: { start, end: start } }) } }),
    });
    const sorted = [make('z'), make('q', 'a'), make('c', 'a', 0), make('a', 'a', 5), make('b', 'a', 5), make('a', 'b')];
    const shuffled = [5, 3, 0, 4, 1, 2].map((index) => sorted[index]!);
    expect(sortDiagnostics(shuffled, options)).toEqual(sorted);
    const twins = [make('t', 'a', 1), make('t', 'a', 1)];
    expect(sortDiagnostics(twins, options)[0]).toBe(twins[0]);
  });
});

describe('defineProblems', () => {
  const problems = defineProblems(() => ({
    'word-unknown': {
      severity: 'warning',
      summary: 'A word is not known.',
      message: ({ word }: { readonly word: string }) => `word "${word}" is unknown`,
      hint: ({ word }: { readonly word: string }) => (word === '' ? undefined : 'look it up'),
    },
  }));

  it('creates findings without empty parts', () => {
    expect(problems.create('word-unknown', { word: '' })).toEqual({
      code: 'word-unknown',
      severity: 'warning',
      message: 'word "" is unknown',
    });
    const location = { file: 'a' };
    expect(problems.create('word-unknown', { word: 'x' }, { location, severity: 'error', related: [] })).toEqual({
      code: 'word-unknown',
      severity: 'error',
      message: 'word "x" is unknown',
      hint: 'look it up',
      location,
      related: [],
    });
  });
});

describe('diagnosticsOf', () => {
  it('finds the findings anywhere in the chain of causes', () => {
    const inner = new DiagnosticError([error]);
    expect(diagnosticsOf(new Error('outer', { cause: new Error('middle', { cause: inner }) }))).toEqual([error]);
    expect(diagnosticsOf(new Error('plain'))).toBeUndefined();
    expect(diagnosticsOf('text')).toBeUndefined();
  });

  it('carries the texts that its findings point into', () => {
    const sources = [{ path: 'printed', text: 'a' }];
    const inner = new DiagnosticError([error], { sources });
    expect(sourcesOfError(new Error('outer', { cause: inner }))).toEqual(sources);
    expect(sourcesOfError(new DiagnosticError([error]))).toEqual([]);
    expect(sourcesOfError('text')).toEqual([]);
  });

  it('stops when the chain of causes contains a cycle', () => {
    const circular = new Error('round');
    circular.cause = new Error('inner', { cause: circular });
    expect(diagnosticsOf(circular)).toBeUndefined();
  });
});
