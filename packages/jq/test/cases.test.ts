import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtinNames } from '../src/builtins/builtins.ts';
import { compile, JqError, parseJson, stringify } from '../src/index.ts';
import { parseProgram } from '../src/syntax/parse-program.ts';

/** One program over one input: its outputs, and the error at the end, if there is one. */
interface Case {
  readonly program: string;
  readonly input: string;
  readonly outputs: readonly string[];
  readonly kind?: string;
  readonly error?: string;
}

const folder = new URL('cases/', import.meta.url);
const tables = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, cases: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as readonly Case[] }));

function outcomeOf({ program, input }: Case): Omit<Case, 'program' | 'input'> {
  const outputs: string[] = [];
  try {
    for (const output of compile(program).run(parseJson(input))) outputs.push(stringify(output));
  } catch (thrown) {
    if (!(thrown instanceof JqError)) throw thrown;
    return { outputs, kind: thrown.kind, error: thrown.message };
  }
  return { outputs };
}

describe.each(tables)('$name', ({ cases }) => {
  it.each(cases)('$program ← $input', (given) => {
    const { program, input, ...expected } = given;
    expect(outcomeOf({ program, input, outputs: [] })).toEqual(expected);
  });
});

describe('the tables', () => {
  const called = new Set<string>();
  for (const { program } of tables.flatMap(({ cases }) => cases)) collectCalls(program, called);

  it('call every builtin', () => {
    expect(builtinNames().filter((name) => !called.has(name))).toEqual([]);
  });
});

function collectCalls(program: string, called: Set<string>): void {
  const pending: unknown[] = [];
  try {
    pending.push(parseProgram(program));
  } catch {
    // a case about a syntax error calls nothing
  }
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    if ('type' in part && part.type === 'call' && 'name' in part && 'args' in part) {
      called.add(`${part.name as string}/${(part.args as readonly unknown[]).length}`);
    }
    pending.push(...Object.values(part));
  }
}
