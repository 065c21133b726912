import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SuiteCase {
  readonly file: string;
  readonly program: string;
  /** Whether compiling must fail. */
  readonly fails: boolean;
  readonly input: string;
  readonly outputs: readonly string[];
}

/** The directory of jq's own tests, if this machine has them. */
export function suiteDirectory(): string | undefined {
  const named = process.env['KUREL_JQ_SUITE'];
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const directory = named === undefined ? resolve(root, '../shared/data/jq') : resolve(named);
  return existsSync(directory) ? directory : undefined;
}

export function readSuite(directory: string): readonly SuiteCase[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.test'));
  return files.toSorted().flatMap((file) => readCases(file, readFileSync(join(directory, file), 'utf8')));
}

/** Cases are separated by blank lines: program, input, outputs; `%%FAIL` starts a case that must not compile. */
function readCases(file: string, text: string): readonly SuiteCase[] {
  const blocks: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.trim() === '') blocks.push([]);
    else if (!/^\s*#/.test(line)) blocks.at(-1)!.push(line);
  }
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const fails = lines[0]!.startsWith('%%FAIL');
      const [program = '', input = 'null', ...outputs] = fails ? lines.slice(1) : lines;
      return fails ? { file, program, fails, input: 'null', outputs: [] } : { file, program, fails, input, outputs };
    });
}
