import { readFileSync } from 'node:fs';
import { compile, JqError, parseJson, stringify } from '../src/index.ts';

const folder = new URL('../../../test/oracles/jq/', import.meta.url);

/** A program over an input, and the result: outputs, then possibly an error after `! `; `?` if it does not compile. */
export interface Row {
  readonly program: string;
  readonly input: string;
  readonly outcome: readonly string[];
}

interface Shared {
  /** Builtins of the real jq, as `name/arity`. */
  readonly builtins: readonly string[];
  /** Inputs with a name in the rows. */
  readonly inputs: { readonly [name: string]: string };
}

export const shared = JSON.parse(readFileSync(new URL('shared.json', folder), 'utf8')) as Shared;

/** Programs with the answers of the real jq. */
export const answers: readonly Row[] = readLines('answers.tsv').map(readRow);

function readLines(name: string): readonly string[] {
  return readFileSync(new URL(name, folder), 'utf8').split('\n').slice(0, -1);
}

function readRow(line: string): Row {
  const [program = '', input = '', ...outcome] = line.split('\t');
  return { program, input, outcome };
}

export const differencesFile = new URL('differences.tsv', folder);

/** Our outputs where they differ from the real jq: rows below a line `# name` per kind of difference. */
export function readDifferences(): ReadonlyMap<string, readonly Row[]> {
  const kinds = new Map<string, Row[]>();
  let current: Row[] = [];
  for (const line of readLines('differences.tsv')) {
    if (line.startsWith('# ')) {
      current = [];
      kinds.set(line.slice(2), current);
    } else current.push(readRow(line));
  }
  return kinds;
}

export function keyOf({ program, input }: Row): string {
  return `${program}\t${input}`;
}

/** The environment and the clock of the real jq, as far as the answers show them. */
const world = { env: { TZ: 'UTC', LC_ALL: 'C', PAGER: 'less' }, clock: () => 1e9 };

/** Our result for a row's program and input. */
export function ourOutcome({ program, input }: Row): readonly string[] {
  const outcome: string[] = [];
  let compiled;
  try {
    compiled = compile(program);
  } catch (thrown) {
    if (thrown instanceof JqError && thrown.kind !== 'limit') return ['?'];
    throw thrown;
  }
  try {
    for (const output of compiled.run(parseJson(shared.inputs[input] ?? input), world)) outcome.push(stringify(output));
  } catch (thrown) {
    if (!(thrown instanceof JqError) || thrown.kind !== 'runtime' || thrown.value === undefined) throw thrown;
    outcome.push(`! ${stringify(thrown.value)}`);
  }
  return outcome;
}
