import { HAS_BREAK, NEEDS_ESCAPES } from './write-string.ts';

export interface LiteralPlace {
  /** Column of the mapping or the dash that the text belongs to; -1 at the root. */
  readonly parent: number;
  /** Column of the text. */
  readonly column: number;
  /** Whether trailing line breaks may be part of the text (`|+`); not at the end of a document, where they are lost. */
  readonly keep: boolean;
}

export interface LiteralParts {
  /** Columns from the parent to the text, where the text itself does not show them. */
  readonly indicator: string;
  readonly chomping: '' | '-' | '+';
  /** With the line break that ends the last line. */
  readonly lines: string;
}

/**
 * Whether a literal block carries the text so that all readers agree: what escapes must carry cannot stand there, and
 * where the last line is blank they disagree on whether it is text or the end of it.
 */
export function canBeLiteral(text: string, traits: number): boolean {
  return (traits & NEEDS_ESCAPES) === 0 && !/(?:^|\n)[ \t]*$/u.test(trimBreaks(text));
}

/** `|` with the text on the lines after it; undefined where one line or quotes must do. */
export function writeLiteral(text: string, traits: number, place: LiteralPlace): string | undefined {
  if ((traits & HAS_BREAK) === 0 || !canBeLiteral(text, traits)) return undefined;
  const parts = literalParts(text, place);
  return parts && `|${parts.indicator}${parts.chomping}\n${parts.lines}`;
}

export function literalParts(text: string, place: LiteralPlace): LiteralParts | undefined {
  const body = trimBreaks(text);
  const breaks = text.length - body.length;
  if (breaks > 1 && !place.keep) return undefined;
  const width = place.column - place.parent;
  // The first line says how far the text is indented, unless it begins with white space or is empty. At the root,
  // readers disagree on what the indicator counts from.
  const needsIndicator = /^[ \t\n]/u.test(body);
  if (needsIndicator && (place.parent < 0 || width > 9)) return undefined;
  return {
    indicator: needsIndicator ? String(width) : '',
    chomping: breaks === 0 ? '-' : breaks === 1 ? '' : '+',
    lines: `${indentLines(body, ' '.repeat(place.column))}${'\n'.repeat(Math.max(breaks, 1))}`,
  };
}

/** Each line that is not empty moved in by `pad`. */
function indentLines(text: string, pad: string): string {
  return (text.charCodeAt(0) === 0x0a ? '' : pad) + text.replaceAll(/\n(?=[^\n])/gu, `\n${pad}`);
}

function trimBreaks(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x0a) end--;
  return text.slice(0, end);
}
