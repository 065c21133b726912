import { describe, expect, it } from 'vitest';
import { EngineError, filters, transformers } from './index.ts';

// What code without types may pass.
const nothing = undefined as never;
const number = 3 as never;

describe('a filter or transformer that cannot work', () => {
  it.each<readonly [make: () => unknown, message: string]>([
    [() => filters.not(nothing), 'the filter not() needs a function, got undefined'],
    [() => filters.and(filters.kind('Pod'), nothing), 'the filter and() needs a function as argument 2, got undefined'],
    [() => filters.or(number), 'the filter or() needs a function, got number'],
    [
      () => filters.when(filters.kind('Pod'), nothing),
      'the filter when() needs a function as argument 2, got undefined',
    ],
    [() => filters.kind('Pod', nothing), 'the filter kind() needs a string, got undefined'],
    [() => filters.gvk(null as never), 'the filter gvk() needs an object, got null'],
    [() => filters.gvk({ group: '', version: 'v1' } as never), 'the filter gvk() needs a string, got undefined'],
    [() => filters.namespace.is(nothing), 'the filter namespace.is() needs a string, got undefined'],
    [() => filters.namespace.exclude(number), 'the filter namespace.exclude() needs a string, got number'],
    [() => filters.labels.has(nothing), 'the filter labels.has() needs a string, got undefined'],
    [() => filters.labels.match({ a: number }), 'the filter labels.match() needs a string, got number'],
    [() => filters.annotations.has('a', number), 'the filter annotations.has() needs a string, got number'],
    [() => filters.annotations.match({ a: nothing }), 'the filter annotations.match() needs a string, got undefined'],
    [() => transformers.labels.remove(number), 'the transformer labels.remove() needs a string, got number'],
    [() => transformers.labels.removeIf(nothing), 'the transformer labels.removeIf() needs a function, got undefined'],
    [
      () => transformers.annotations.remove(nothing),
      'the transformer annotations.remove() needs a string, got undefined',
    ],
    [
      () => transformers.annotations.removeIf(number),
      'the transformer annotations.removeIf() needs a function, got number',
    ],
    [() => transformers.namespace.set(nothing), 'the transformer namespace.set() needs a string, got undefined'],
    [
      () => transformers.namespace.ensureDefault(number),
      'the transformer namespace.ensureDefault() needs a string, got number',
    ],
    [() => filters.name.exact(number), 'the filter name.exact() needs a string, got number'],
    [() => filters.name.prefix(nothing), 'the filter name.prefix() needs a string, got undefined'],
    [() => filters.name.suffix(nothing), 'the filter name.suffix() needs a string, got undefined'],
    [() => filters.name.regex(number), 'the filter name.regex() needs a string, got number'],
    [() => filters.labels.match(nothing), 'the filter labels.match() needs an object, got undefined'],
    [() => filters.labels.selector(nothing), 'the filter labels.selector() needs a string, got undefined'],
    [() => filters.annotations.match([] as never), 'the filter annotations.match() needs an object, got a list'],
    [() => filters.jq(nothing), 'a jq program needs a string, got undefined'],
    [() => transformers.jq(number), 'a jq program needs a string, got number'],
    [() => transformers.chain(nothing), 'the transformer chain() needs a function, got undefined'],
    [() => transformers.when(nothing, nothing), 'the transformer when() needs a function as argument 1, got undefined'],
    [() => transformers.switch(nothing), 'the transformer switch() needs a list, got undefined'],
    [
      () => transformers.switch([{ when: filters.kind('Pod'), then: nothing }]),
      'the transformer switch() needs a function as argument 2, got undefined',
    ],
    [() => transformers.labels.set(null as never), 'the transformer labels.set() needs an object, got null'],
    [() => transformers.labels.set({ a: number }), 'the transformer labels.set() needs a string, got number'],
    [() => transformers.annotations.set({ a: number }), 'the transformer annotations.set() needs a string, got number'],
    [() => transformers.name.setPrefix(nothing), 'the transformer name.setPrefix() needs a string, got undefined'],
    [() => transformers.name.setSuffix(nothing), 'the transformer name.setSuffix() needs a string, got undefined'],
    [() => transformers.name.replace('a', nothing), 'the transformer name.replace() needs a string, got undefined'],
  ])('is refused where it is created: %#', (make, message) => {
    let error: unknown;
    try {
      make();
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code: 'invalid-option', message });
  });
});
