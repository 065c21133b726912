import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as jq from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

/** Turns `expression; // → value` into a check, and the import into a destructuring of `jq`. */
function executable(code: string): string {
  return code
    .replace(/^import \{ (.*) \} from '@kurel\/jq';$/m, 'const { $1 } = jq;')
    .replace(/^(.*); \/\/ → (.*)$/gm, (_line, expression: string, value: string) => `check(${expression}, ${value});`);
}

describe('the examples of the README', () => {
  it.each(blocks)('%s', (code) => {
    let checks = 0;
    const check = (actual: unknown, expected: unknown): void => {
      checks++;
      expect(actual).toEqual(expected);
    };
    // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the README is our own file
    const run = new Function('jq', 'check', `'use strict';\n${executable(code)}`) as (...args: unknown[]) => void;
    run(jq, check);
    expect(checks).toBeGreaterThan(0);
  });
});
