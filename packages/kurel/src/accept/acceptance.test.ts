import { describe, expect, it } from 'vitest';

import type { Diagnostic } from '../model/index.ts';
import { checkAcceptances, createAcceptor } from './index.ts';
import { asPrinted } from '../../test/format-printed.ts';

const options = {
  definitions: {
    'namespace-missing': { severity: 'warning', summary: '' },
    'field-unknown': { severity: 'error', summary: '' },
    'policy-registry': { severity: 'error', summary: '' },
    'yaml-syntax': { severity: 'error', summary: '' },
    'policy-not-checked': { severity: 'warning', summary: '' },
    'acceptance-unused': { severity: 'warning', summary: '' },
  },
  canAcceptError: (code: string) => code === 'field-unknown',
  isPolicy: (code: string) => code.startsWith('policy-'),
  isForUsers: (code: string) => code === 'policy-not-checked',
} as const;

const reason = 'the platform creates it';

function finding(code: string, severity: Diagnostic['severity'], name = 'web'): Diagnostic {
  return { code, severity, message: code, object: { group: 'apps', kind: 'Deployment', namespace: '', name } };
}

describe('createAcceptor', () => {
  it.each([
    ['a warning by its code', { code: 'namespace-missing' }, finding('namespace-missing', 'warning'), true],
    ['a note by its code', { code: 'namespace-missing' }, finding('namespace-missing', 'note'), true],
    ['another code', { code: 'namespace-missing' }, finding('field-unknown', 'error'), false],
    ['the object', { code: 'field-unknown', object: 'deployment/web' }, finding('field-unknown', 'error'), true],
    ['another object', { code: 'field-unknown', object: 'deployment/api' }, finding('field-unknown', 'error'), false],
    ['an invalid object', { code: 'field-unknown', object: 'a/b/c/d' }, finding('field-unknown', 'error'), false],
    ['a policy error', { code: 'policy-registry' }, finding('policy-registry', 'error'), false],
    [
      'a finding about no object, by object',
      { code: 'namespace-missing', object: 'deployment/web' },
      { code: 'namespace-missing', severity: 'warning', message: '' } as const,
      false,
    ],
  ])('decides on %s', (_, acceptance, diagnostic, isAccepted) => {
    const acceptor = createAcceptor([{ ...acceptance, reason }], options);
    expect(acceptor.accepts(diagnostic)).toBe(isAccepted);
    expect(acceptor.accepted()).toEqual(isAccepted ? [{ diagnostic, reason }] : []);
    expect(acceptor.unused().map(({ code }) => code)).toEqual(isAccepted ? [] : ['acceptance-unused']);
  });

  it.each([
    [undefined, true],
    ['deployment/web', false],
  ])('accepts findings that were only counted if it names no object: %s', (object, isAccepted) => {
    const acceptor = createAcceptor([{ code: 'field-unknown', object, reason }], options);
    const omitted = { ...finding('findings-omitted', 'error'), omitted: { code: 'field-unknown', count: 7 } };
    expect(acceptor.accepts(omitted)).toBe(isAccepted);
    expect(acceptor.namesObjects).toBe(object !== undefined);
  });

  it('counts every acceptance that matches as used', () => {
    const both = [
      { code: 'field-unknown', reason: 'first' },
      { code: 'field-unknown', object: 'deployment/web', reason: 'second' },
    ];
    const acceptor = createAcceptor(both, options);
    acceptor.accepts(finding('field-unknown', 'error'));
    expect(acceptor.accepted()).toMatchObject([{ reason: 'first' }]);
    expect(acceptor.unused()).toEqual([]);
  });
});

describe('checkAcceptances', () => {
  it.each([
    ['namespace-mising', undefined, ['acceptance-code-unknown: did you mean "namespace-missing"?']],
    ['policy-registry', undefined, [expect.stringContaining('acceptance-refused: change the object or the policy')]],
    ['yaml-syntax', undefined, [expect.stringContaining('acceptance-refused: fix the cause')]],
    ['policy-not-checked', undefined, []],
    ['acceptance-unused', undefined, [expect.stringContaining('acceptance-refused: fix the cause')]],
    ['field-unknown', 'web', [expect.stringContaining('acceptance-object-invalid')]],
    ['field-unknown', 'deployment/web', []],
  ])('%s of %s', (code, object, expected) => {
    const found = checkAcceptances([{ code, object, reason }], options);
    expect(found.map((one) => `${one.code}: ${one.hint}`)).toEqual(expected);
  });

  it('leaves gaps in a policy check to the command line', () => {
    const location = { file: 'kurel.accept.yaml', path: ['spec', 'accept', 0] };
    const found = checkAcceptances([{ code: 'policy-not-checked', reason, location }], options);
    expect(asPrinted(found)).toMatchObject([
      { code: 'acceptance-refused', hint: expect.stringContaining('pass --accept') },
    ]);
  });
});
