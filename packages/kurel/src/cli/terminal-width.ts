import type { Environment } from './environment.ts';

/** The columns that there are on a terminal; `undefined` for what goes elsewhere, and when the terminal does not say. */
export function terminalWidth(
  { stderrIsTerminal, columns }: Environment,
  isTerminal = stderrIsTerminal,
): number | undefined {
  // Terminals that were never told their size say 0.
  return isTerminal ? columns?.() || undefined : undefined;
}

/** The same for standard output, within what a text that explains something can be read in. */
export function readingWidth(environment: Environment): number | undefined {
  const width = terminalWidth(environment, environment.stdoutIsTerminal);
  return width === undefined ? undefined : Math.min(widest, Math.max(narrowest, width));
}

/** Of such a text, when it goes elsewhere. */
export const widest = 100;
const narrowest = 60;
