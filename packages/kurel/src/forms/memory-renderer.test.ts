import { describe, expect, it } from 'vitest';
import { createOriginTable, createRenderContext } from '../engine/index.ts';
import type { KubeObject } from '../model/index.ts';
import { type MemorySource, memoryRenderer } from './memory-renderer.ts';

const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { big: 2n ** 70n } };

describe('memoryRenderer', () => {
  it('gives deep copies on every call, with an origin', async () => {
    const origins = createOriginTable();
    const context = createRenderContext({ origins });
    const renderer = memoryRenderer([{ objects: [object] }, { objects: [], name: 'nothing' }]);
    const {
      objects: [first],
    } = await renderer.process({}, context);
    const {
      objects: [second],
    } = await renderer.process({}, context);
    expect(first).toEqual(object);
    expect(first).not.toBe(object);
    expect(first!.metadata).not.toBe(object.metadata);
    expect(second!.metadata).not.toBe(first!.metadata);
    expect(origins.get(first!)).toEqual({ renderer: 'memory', source: 'memory' });
  });

  it.each<[string, unknown]>([
    ['source 1: objects[1] is empty', {}],
    ['source 1: objects[1] is not an object', null],
    ['source 1: objects[1] has no apiVersion or no kind', { kind: 'x' }],
  ])('refuses at construction: %s', (message, bad) => {
    const sources = [{ objects: [object] }, { objects: [object, bad] }] as MemorySource[];
    expect(() => memoryRenderer(sources)).toThrow(message);
  });

  it('refuses a source without a list of objects', () => {
    expect(() => memoryRenderer({ object: [object] } as unknown as MemorySource)).toThrow('objects must be a list');
  });
});
