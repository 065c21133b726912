import * as fc from 'fast-check';
import { parseArgs } from 'node:util';
import { expect, it } from 'vitest';
import type { FlagDefinitions } from './command.ts';
import { tokensOf } from './tokens-of.ts';

const definitions: FlagDefinitions = {
  label: { type: 'list', summary: '' },
  output: { type: 'text', short: 'o', summary: '' },
  check: { type: 'switch', short: 'c', summary: '' },
  strict: { type: 'switch', summary: '' },
};

const word = fc.oneof(
  fc.constantFrom(
    '--',
    '-',
    '',
    '-o',
    '-c',
    '-co',
    '-coc',
    '-cox',
    '-xo',
    '-ox',
    '-o=x',
    '--check',
    '--check=',
    '--strict=x',
  ),
  fc.constantFrom(
    '--label',
    '--label=',
    '--label=a=b',
    '--output',
    '--=',
    '--=x',
    '--=x=y',
    '--nothing',
    '--nothing=1',
    'a=b',
  ),
  fc.constantFrom('--toString', '-\u{1F600}', '---', '---x', '--o', '--constructor=x', '--__proto__'),
  fc.string({ unit: fc.constantFrom('-', '=', 'o', 'c', 'x', 'label') }),
);

it('gives the same as Node', () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const options = Object.fromEntries(
        Object.entries(definitions).map(([name, { type, short }]) => [
          name,
          {
            type: type === 'switch' ? ('boolean' as const) : ('string' as const),
            ...(short === undefined ? {} : { short }),
          },
        ]),
      );
      const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
      const found = tokensOf(definitions, words);
      expect(found).toHaveLength(tokens.length);
      // Node's have an index as well.
      expect(tokens).toMatchObject(found);
    }),
  );
});
