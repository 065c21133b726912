import { describe, expect, it } from 'vitest';

import type { Diagnostic } from '../../model/index.ts';
import { joinFindings } from './join-findings.ts';
import type { SideFindings } from './join-findings.ts';

function finding(message: string, file?: string, more: Partial<Diagnostic> = {}): Diagnostic {
  const location = file === undefined ? {} : { location: { file } };
  return { code: 'x', severity: 'error', message, ...location, ...more };
}

function side(name: 'a' | 'b', parts: Partial<SideFindings>): SideFindings {
  const same = (text: string): string => text.replace('inside', 'shown');
  return { side: name, diagnostics: [], sources: [], show: same, showFile: same, hasOwnFlags: false, ...parts };
}

describe('findings of two sides', () => {
  it('say of which they are, unless both have them', () => {
    const { diagnostics } = joinFindings([
      side('a', { diagnostics: [finding('one', 'f'), finding('two', 'f')] }),
      side('b', { diagnostics: [finding('two', 'f'), finding('three', 'f')] }),
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual(['A: one', 'two', 'B: three']);
  });

  it('advise what goes for both once', () => {
    const advised = (message: string, file?: string): Diagnostic => finding(message, file, { hint: 'give one' });
    const { diagnostics } = joinFindings([
      side('a', { diagnostics: [advised('one'), advised('two', 'f')] }),
      side('b', {
        diagnostics: [advised('three'), advised('four', 'f'), finding('five', undefined, { hint: 'other' })],
      }),
    ]);
    const hints = diagnostics.map(({ message, hint }) => [message, hint]);
    expect(hints).toEqual([
      ['A: one', 'give one'],
      ['A: two', 'give one'],
      ['B: three', undefined],
      ['B: four', 'give one'],
      ['B: five', 'other'],
    ]);
  });

  it('keep texts of one name apart', () => {
    const { diagnostics, sources } = joinFindings([
      side('a', { diagnostics: [finding('bad', 'helm')], sources: [{ path: 'helm', text: '1' }] }),
      side('b', { diagnostics: [finding('bad', 'helm')], sources: [{ path: 'helm', text: '2' }] }),
    ]);
    expect(diagnostics.map(({ message, location }) => [message, location?.file])).toEqual([
      ['A: bad', 'helm'],
      ['B: bad', 'helm (B)'],
    ]);
    expect(sources).toEqual([
      { path: 'helm', text: '1' },
      { path: 'helm (B)', text: '2' },
    ]);
  });

  it('have the names that the user knows', () => {
    const related = [{ message: 'see inside', location: { file: 'inside/z' } }];
    const { diagnostics, sources } = joinFindings([
      side('a', {
        diagnostics: [finding('in inside', 'inside/x', { hint: 'try inside', related })],
        sources: [{ path: 'inside/x', text: '' }],
      }),
      side('b', {}),
    ]);
    expect(JSON.stringify([diagnostics, sources])).not.toContain('inside');
  });

  it('do not blame flags for both that one has a use for', () => {
    const unused = finding('unused', undefined, { code: 'input-setting-unused', severity: 'warning' });
    const reported = (a: Partial<SideFindings>, b: Partial<SideFindings>): number =>
      joinFindings([side('a', a), side('b', b)]).diagnostics.length;
    expect(reported({ diagnostics: [unused] }, {})).toBe(0);
    expect(reported({}, { diagnostics: [unused] })).toBe(0);
    expect(reported({ diagnostics: [unused], hasOwnFlags: true }, {})).toBe(1);
    expect(reported({ diagnostics: [unused] }, { diagnostics: [unused] })).toBe(1);
  });
});
