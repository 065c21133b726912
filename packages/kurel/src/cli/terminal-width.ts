import { wrapText } from '../diagnostics/index.ts';
import type { Environment } from './environment.ts';

/** The columns of the terminal; `undefined` for a file or pipe, and if the terminal does not report its size. */
export function terminalWidth(
  { stderrIsTerminal, columns }: Environment,
  isTerminal = stderrIsTerminal,
): number | undefined {
  // Some terminals report 0.
  return isTerminal ? columns?.() || undefined : undefined;
}

/** The columns of stdout, limited to a width that is comfortable to read. */
export function readingWidth(environment: Environment): number | undefined {
  const width = terminalWidth(environment, environment.stdoutIsTerminal);
  return width === undefined ? undefined : Math.min(widest, Math.max(narrowest, width));
}

/** For text that goes to a file or pipe. */
export const widest = 100;
const narrowest = 60;

const hanging = 4;

/** Wraps a line between words to fit the terminal; continuation lines are indented to its start. */
export function fitLine(line: string, width: number | undefined): readonly string[] {
  if (width === undefined || line.length <= width) return [line];
  const indent = /^ */.exec(line)![0];
  const inner = indent.length + hanging;
  const [first = '', ...rest] = wrapText(line.slice(indent.length), { width: width - inner, taken: -hanging });
  return [`${indent}${first}`.trimEnd(), ...rest.map((one) => `${' '.repeat(inner)}${one.trim()}`)];
}
