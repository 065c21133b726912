import { findVariableEnd } from '../kpatch/find-variable-end.ts';
import { findQuoteEnd } from './find-quote-end.ts';

const start = /^\[[ \t]*(?=[\p{L}*"'$])/u;
const nameCharacter = /[\p{L}\p{M}\p{N}_\-/@~%:.*?=+]/u;

/** Whether a line, without the blanks around it, can be `[kind.name…]` with a comment behind it. */
export function isHeaderLine(line: string): boolean {
  return shapeOf(line) === 'named';
}

/** Whether a line is the header of somebody who forgot the name: `[deployment]`. */
export function isUnfinishedHeader(line: string): boolean {
  return shapeOf(line) === 'nameless' && /^\[[ \t]*\p{L}/u.test(line);
}

/** What stands in the brackets; `undefined` when it is no header. Each character is looked at once. */
function shapeOf(line: string): 'named' | 'nameless' | undefined {
  let offset = start.exec(line)?.[0].length ?? line.length;
  let depth = 1;
  let named = false;
  let isValue = false;
  while (offset < line.length) {
    const character = String.fromCodePoint(line.codePointAt(offset)!);
    let next = offset + character.length;
    if (character === ']') {
      depth -= 1;
      if (depth === 0) return endsLine(line, next) ? (named ? 'named' : 'nameless') : undefined;
    } else if (character === '[') {
      named ||= depth === 1;
      depth += 1;
    } else if (character === '"' || character === "'") {
      next = findQuoteEnd(line, offset);
    } else if (character === '$') {
      next = Math.max(findVariableEnd(line, { from: offset, to: line.length }), next);
    } else if (depth === 1 && (character === ' ' || character === '\t')) {
      // Inside the outer brackets, blanks stand at the edges only.
      next = skipBlanks(line, offset);
      if (line[next] !== ']') return undefined;
    } else if (depth === 1) {
      // A comma is what tells a list in brackets from a header, but it may stand in the value of a selector.
      if (!isValue && !nameCharacter.test(character)) return undefined;
      isValue = character === '=' || (isValue && character !== '.');
      named ||= character === '.';
    }
    offset = next;
  }
  return undefined;
}

function endsLine(line: string, offset: number): boolean {
  const next = skipBlanks(line, offset);
  return next === line.length || (next > offset && line[next] === '#');
}

function skipBlanks(line: string, offset: number): number {
  let next = offset;
  while (line[next] === ' ' || line[next] === '\t') next += 1;
  return next;
}
