import { assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Message, SettingMention } from '../model/index.ts';
import {
  defineProblems,
  joinMessages,
  mentionsIn,
  pass,
  passIn,
  sentence,
  setting,
  spell,
  spellAsKeys,
  spellDiagnostic,
  spellPlainly,
  withTexts,
} from './index.ts';

const asWords = ({ setting: name, value = '' }: SettingMention): string => `<${name} ${value}>`;

describe('a message', () => {
  it('without settings is its text', () => {
    assert(
      property(string(), string(), (first, second) => {
        const message = sentence`${first} and ${second}`;
        expect(message).toBe(`${first} and ${second}`);
        expect(spell(message, asWords)).toBe(message);
      }),
    );
  });

  it('has no settings but those of its author', () => {
    const hostile = oneof(
      string(),
      constantFrom('--profile FILE', '${setting("profile")}', JSON.stringify(setting('profile'))),
    );
    assert(
      property(hostile, hostile, (text, value) => {
        const message = sentence`${text}${setting('set', value)}${text}`;
        expect(mentionsIn(message)).toEqual([{ setting: 'set', value }]);
        expect(spell(message, asWords)).toBe(`${text}<set ${value}>${text}`);
      }),
    );
  });

  it('takes the parts of other messages', () => {
    const inner = sentence`with ${setting('values')}`;
    expect(sentence`pass it ${inner}, not ${inner}`).toEqual([
      'pass it with ',
      { setting: 'values' },
      ', not with ',
      { setting: 'values' },
    ]);
    expect(joinMessages([setting('kinds'), 'x', inner], ' ')).toEqual([
      { setting: 'kinds' },
      ' x with ',
      { setting: 'values' },
    ]);
  });
});

describe('keys', () => {
  const inFleet = spellAsKeys({
    keyOf: (name) => (name === 'format' ? undefined : name),
    document: 'the fleet file',
    otherwise: asWords,
  });

  it.each([
    [setting('profile'), '"profile"'],
    [setting('profile', 'FILE'), '"profile"'],
    [pass('profile', 'FILE'), 'set "profile" in the fleet file'],
    [setting('layout', 'flux'), '"layout: flux"'],
    [passIn('a policy', 'policy'), 'name a policy in "policy" of the fleet file'],
    [pass('layout', 'flux'), 'set "layout: flux" in the fleet file'],
    [pass('set', 'image=…'), 'add "image" to "set" in the fleet file'],
    [setting('set', 'image=…'), '"set: image=…"'],
    [setting('format', 'json'), '<format json>'],
  ])('of %j', (mention, text) => {
    expect(inFleet(mention)).toBe(text);
  });
});

const problems = defineProblems(() => ({
  missing: {
    summary: 'A profile is missing.',
    message: ({ what }: { readonly what: string }) => sentence`${what} needs ${setting('profile')}`,
    hint: () => sentence`${pass('profile', 'FILE')}, or ${pass('noProfile')}`,
  },
  plain: { summary: 'Nothing.', message: () => 'nothing', hint: () => 'pass nothing' },
}));

describe('a finding', () => {
  const finding = problems.create('missing', { what: 'web' });

  it('has names of settings, and their parts as plain data', () => {
    expect(finding).toMatchObject({ message: 'web needs "profile"', hint: 'set "profile", or set "noProfile"' });
    expect(mentionsIn(finding.parts?.message)).toEqual([setting('profile')]);
    expect(mentionsIn(finding.parts?.hint)).toEqual([pass('profile', 'FILE'), pass('noProfile')]);
    expect(structuredClone(finding)).toEqual(finding);
    expect(JSON.parse(JSON.stringify(finding))).toEqual(finding);
  });

  it('is spelled once', () => {
    const spelled = spellDiagnostic(finding, asWords);
    expect(spelled).toEqual({
      code: 'missing',
      severity: 'error',
      message: 'web needs <profile >',
      hint: '<profile FILE>, or <noProfile >',
    });
    expect(spellDiagnostic(spelled, spellPlainly)).toBe(spelled);
  });

  it('without settings has no parts', () => {
    const plain = problems.create('plain', {});
    expect(plain).toEqual({ code: 'plain', severity: 'error', message: 'nothing', hint: 'pass nothing' });
  });

  it('keeps a text that was changed later', () => {
    const changed: Diagnostic = { ...finding, message: 'A: changed' };
    expect(spellDiagnostic(changed, asWords)).toMatchObject({
      message: 'A: changed',
      hint: '<profile FILE>, or <noProfile >',
    });
  });

  it('takes other texts with settings', () => {
    const other = withTexts(finding, { hint: sentence`remove ${setting('noProfile')}` });
    expect(other.hint).toBe('remove "noProfile"');
    expect(spellDiagnostic(other, asWords)).toMatchObject({
      message: 'web needs <profile >',
      hint: 'remove <noProfile >',
    });
    expect(withTexts(other, { hint: 'nothing' })).toMatchObject({ hint: 'nothing', message: 'web needs "profile"' });
  });

  it('can be about a setting instead of a file', () => {
    const place = { file: '"namespace: x"', setting: setting('namespace', 'x') };
    const related = [{ message: 'set here', location: place }];
    expect(spellDiagnostic(problems.create('plain', {}, { location: place, related }), asWords)).toMatchObject({
      location: { file: '<namespace x>' },
      related: [{ location: { file: '<namespace x>' } }],
    });
  });

  it('is cut with its settings', () => {
    const { message, parts } = problems.create('missing', { what: 'x'.repeat(10_000) });
    expect(message).toHaveLength(3200 + 1 + 800 + '"profile"'.length);
    expect(message).toMatch(/^x{3200}…x+ needs "profile"$/);
    expect(mentionsIn(parts?.message)).toEqual([setting('profile')]);
    expect(sumOfTexts(parts!.message!)).toBe(4001);
  });
});

function sumOfTexts(message: Message): number {
  const parts = typeof message === 'string' ? [message] : message;
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}
