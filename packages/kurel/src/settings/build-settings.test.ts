import { describe, expect, it } from 'vitest';

import { completeSettings, listSet, mapPaths, settingNames, settingTable, wordsOfSettings } from './index.ts';
import type { SettingDefinition } from './index.ts';

const rows: readonly (readonly [string, SettingDefinition])[] = Object.entries(settingTable);

describe('the table of settings', () => {
  it('spells each setting in one way for each caller', () => {
    for (const spelling of ['flag', 'key', 'variable', 'short'] as const) {
      const words = rows.map(([, row]) => row[spelling]).filter((word) => word !== undefined);
      expect(words).toEqual([...new Set(words)]);
    }
  });

  it('says what each value is', () => {
    const odd = rows.filter(([, { type, placeholder }]) => (type === 'switch') !== (placeholder === undefined));
    expect(odd).toEqual([]);
  });
});

describe('settings', () => {
  it('have the defaults of their types', () => {
    const { strict, values, profile } = completeSettings({});
    expect({ strict, values, profile }).toEqual({ strict: false, values: [], profile: undefined });
    expect(listSet(completeSettings({ strict: true, profile: 'p' }), settingNames)).toEqual(['strict', 'profile']);
  });

  it('become words of a command line where they are signed or shown', () => {
    const settings = completeSettings({ strict: true, values: ['a', 'b=c'], profile: 'p.yaml' });
    expect(wordsOfSettings(settings)).toEqual(['--values=a', '--values=b=c', '--strict', '--profile=p.yaml']);
    expect(wordsOfSettings(settings, ['profile'])).toEqual(['--profile=p.yaml']);
  });

  it('know which of them are paths', () => {
    const settings = { profile: 'p', values: ['v'], set: ['s'], namespace: 'n', strict: true, output: undefined };
    const mapped = { profile: '/p', values: ['/v'], set: ['s'], namespace: 'n', strict: true, output: undefined };
    expect(mapPaths(settings, (path) => `/${path}`)).toEqual(mapped);
  });
});
