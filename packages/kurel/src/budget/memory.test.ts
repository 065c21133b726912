import { describe, expect, it } from 'vitest';
import { createMemory } from './index.ts';

function keepIn(memory: ReturnType<typeof createMemory>, content: string, weight = 0): 'created' | 'kept' {
  let result: 'created' | 'kept' = 'kept';
  memory.keep({ kind: 'k', content, create: () => void (result = 'created'), weigh: () => weight });
  return result;
}

describe('a memory', () => {
  it('creates a value once for each kind and content', () => {
    const memory = createMemory();
    const first = memory.keep({ kind: 'list', content: 'a', create: () => ['a'] });
    expect(memory.keep({ kind: 'list', content: 'a', create: () => ['other'] })).toBe(first);
    expect(memory.keep({ kind: 'list', content: 'b', create: () => ['b'] })).toEqual(['b']);
    expect(memory.keep({ kind: 'set', content: 'a', create: () => ['set'] })).toEqual(['set']);
  });

  it('drops what was used least recently', () => {
    const memory = createMemory(12);
    expect(['aaa', 'bbb', 'aaa', 'ccc'].map((content) => keepIn(memory, content))).toEqual([
      'created',
      'created',
      'kept',
      'created',
    ]);
    expect(keepIn(memory, 'aaa')).toBe('kept');
    expect(keepIn(memory, 'bbb')).toBe('created');
  });

  it('never exceeds its limit', () => {
    const memory = createMemory(1000);
    for (let count = 0; count < 500; count += 1) {
      keepIn(memory, `content ${count}`, count);
      expect(memory.characters()).toBeLessThanOrEqual(1000);
    }
    expect(memory.characters()).toBeGreaterThan(500);
  });

  it('does not keep a value larger than its limit, and drops nothing for it', () => {
    const memory = createMemory(20);
    keepIn(memory, 'small');
    expect([keepIn(memory, 'large', 20), keepIn(memory, 'large', 20)]).toEqual(['created', 'created']);
    expect(keepIn(memory, 'endless', Infinity)).toBe('created');
    expect(keepIn(memory, 'small')).toBe('kept');
  });

  it('does not keep failures', () => {
    const memory = createMemory();
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => memory.keep({ kind: 'k', content: 'a', create: fail })).toThrow('no');
    expect(keepIn(memory, 'a')).toBe('created');
  });
});
