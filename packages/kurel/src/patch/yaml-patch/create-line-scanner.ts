import { findQuoteEnd, findVariableEnd } from '../kpatch/characters.ts';

/** Tracks multi-line blocks (`|`, `>`) and flow collections, whose lines are not lines of the patch. */
export interface LineScanner {
  /** Reads the next line; false if it continues something that an earlier line opened. Empty lines may be skipped. */
  pass(line: string): boolean;
}

const blockHeader = /^[|>](?:[+-]?[1-9]?|[1-9][+-])[ \t]*(?:$|(?<=[ \t])#)/;

export function createLineScanner(): LineScanner {
  /** Column of the key or dash whose block is being skipped; its lines are indented further. */
  let block: number | undefined;
  let depth = 0;
  let quote = '';
  /** The last non-space character in the brackets; a quote opens a string only at the start of a value. */
  let before = '';

  function passBrackets(line: string, start: number): void {
    for (let offset = start; offset < line.length; offset += 1) {
      const character = line[offset]!;
      if (quote !== '') {
        if (character === '\\' && quote === '"') offset += 1;
        else if (character === quote) quote = '';
      } else if ((character === '"' || character === "'") && '[{,:'.includes(before)) quote = character;
      else if (character === '#' && (offset === 0 || isBlank(line[offset - 1]))) return;
      else if (character === '[' || character === '{') depth += 1;
      else if (character === ']' || character === '}') {
        depth -= 1;
        if (depth === 0) return;
      }
      if (!isBlank(character)) before = character;
    }
  }

  function openValue(line: string, start: number, column: number): void {
    const offset = skipProperties(line, start);
    const character = line[offset];
    if (character === '[' || character === '{') passBrackets(line, offset);
    else if ((character === '|' || character === '>') && blockHeader.test(line.slice(offset))) block = column;
  }

  return {
    pass(line) {
      const indent = skipBlanks(line, 0);
      if (block !== undefined) {
        if (indent > block || indent === line.length) return false;
        block = undefined;
      }
      if (depth > 0) {
        passBrackets(line, 0);
        return false;
      }
      let dash = indent;
      let offset = indent;
      while ((line[offset] === '-' || line[offset] === '?') && isBlank(line[offset + 1])) {
        dash = offset;
        offset = skipBlanks(line, offset + 1);
      }
      const value = findValue(line, offset);
      if (value === -1) openValue(line, offset, dash);
      else openValue(line, value, offset);
      return true;
    },
  };
}

/** Offset after the `:` that ends the key at `start`, -1 if there is none. Both formats share this syntax, except for brackets. */
function findValue(line: string, start: number): number {
  let offset = skipProperties(line, start);
  if (line[offset] === '"' || line[offset] === "'") offset = findQuoteEnd(line, offset);
  else if (line[offset] === '[' || line[offset] === '{') return -1;
  // Searches for a closing quote only once, so that a long line is scanned once.
  let mayClose = true;
  while (offset < line.length) {
    const character = line[offset];
    if (character === ':' && isBlank(line[offset + 1])) return offset + 1;
    if (character === '#' && isBlank(line[offset - 1])) return -1;
    let next = offset + 1;
    if (mayClose && (character === '$' || character === '[')) {
      const end =
        character === '[' ? findBracketEnd(line, offset) : findVariableEnd(line, { from: offset, to: line.length });
      mayClose = end !== -1;
      next = Math.max(next, end);
    }
    offset = next;
  }
  return -1;
}

/** Offset after the `]` that closes the bracket at `start`, -1 if there is none. */
function findBracketEnd(line: string, start: number): number {
  let depth = 0;
  for (let offset = start; offset < line.length; offset += 1) {
    const character = line[offset];
    if (character === '"' || character === "'") offset = findQuoteEnd(line, offset) - 1;
    else if (character === '[') depth += 1;
    else if (character === ']') {
      depth -= 1;
      if (depth === 0) return offset + 1;
    }
  }
  return -1;
}

/** Skips spaces, anchors and tags. */
function skipProperties(line: string, start: number): number {
  let offset = skipBlanks(line, start);
  while (line[offset] === '&' || line[offset] === '!') {
    while (!isBlank(line[offset])) offset += 1;
    offset = skipBlanks(line, offset);
  }
  return offset;
}

function skipBlanks(line: string, start: number): number {
  let offset = start;
  while (line[offset] === ' ' || line[offset] === '\t') offset += 1;
  return offset;
}

/** Includes the end of the line. */
function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === undefined;
}
