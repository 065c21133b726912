import type { Severity } from '../model/index.ts';

type Style = 'bold' | 'frame' | Severity;

// Select Graphic Rendition codes: bold, and bold in red, yellow, cyan and blue.
const codes: Readonly<Record<Style, string>> = {
  bold: '1',
  error: '1;31',
  warning: '1;33',
  note: '1;36',
  frame: '1;34',
};

export type Paint = (style: Style, text: string) => string;

/** Paints text for a terminal, or leaves it as it is; nothing else in an output may depend on colour. */
export function createPaint(color: boolean): Paint {
  return color ? (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m` : (_, text) => text;
}

interface ColorQuestion {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `NO_COLOR` (no-color.org) outranks `FORCE_COLOR`, which outranks what the terminal is. */
export function shouldUseColor({ isTerminal, environment }: ColorQuestion): boolean {
  if (isSet(environment['NO_COLOR'])) return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && environment['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
