import type { Range } from '../model/index.ts';
import { DASH, HASH, PERCENT, isBreakOrEnd } from './char-codes.ts';
import { skipBlanks } from './read-plain.ts';
import { endOfLine, isMarker, passBreak } from './reading.ts';
import type { yamlProblems } from './problems.ts';

/** What stands between two documents. */
export interface Prefix {
  /** Where the next document starts; `undefined` when there is none. */
  readonly start: number | undefined;
  /** Start of the line of `start`. */
  readonly lineStart: number;
  readonly findings: readonly PrefixFinding[];
}

interface PrefixFinding {
  readonly code: Extract<keyof typeof yamlProblems.definitions, 'yaml-bad-directive' | 'yaml-bad-document-end'>;
  readonly range: Range;
}

/** Reads empty lines, comments, directives and `...` up to the start of a document's content. */
export function readPrefix(text: string, from: number): Prefix {
  const findings: PrefixFinding[] = [];
  const directives: Range[] = [];
  /** Comments in front of a document without `---` belong to it. */
  let bareStart = from;
  let pos = from;
  for (;;) {
    const lineStart = pos;
    const content = skipBlanks(text, pos);
    const code = text.charCodeAt(content);
    const lineEnd = endOfLine(text, content);
    const line = { start: content, end: lineEnd };
    if (isMarker(text, lineStart)) {
      if (code === DASH) {
        checkVersions(text, directives, findings);
        const rest = skipBlanks(text, lineStart + 3);
        const start = isBreakOrEnd(text.charCodeAt(rest)) ? passBreak(text, rest) : lineStart + 3;
        return { start, lineStart: start === lineStart + 3 ? lineStart : start, findings };
      }
      const rest = skipBlanks(text, lineStart + 3);
      if (!isBreakOrEnd(text.charCodeAt(rest)) && text.charCodeAt(rest) !== HASH) {
        findings.push({ code: 'yaml-bad-document-end', range: { start: rest, end: lineEnd } });
      }
      bareStart = passBreak(text, lineEnd);
    } else if (code === PERCENT && content === lineStart) {
      directives.push(line);
    } else if (!isBreakOrEnd(code) && code !== HASH) {
      for (const range of directives) findings.push({ code: 'yaml-bad-directive', range });
      if (directives.length > 0) bareStart = lineStart;
      return { start: bareStart, lineStart: bareStart, findings };
    }
    pos = passBreak(text, lineEnd);
    if (pos === lineEnd) {
      for (const range of directives) findings.push({ code: 'yaml-bad-directive', range });
      return { start: undefined, lineStart: pos, findings };
    }
  }
}

/** The start of the next line with a marker, from the line at `from` on, but not before the line after `start`'s own. */
export function findMarkerLine(
  text: string,
  { from, start }: { readonly from: number; readonly start: number },
): number {
  let pos = from;
  for (;;) {
    if (pos >= start && isMarker(text, pos)) return pos;
    const lineEnd = endOfLine(text, pos);
    pos = passBreak(text, lineEnd);
    if (pos === lineEnd) return pos;
  }
}

/** A document may say its YAML version once, and nothing but version 1. */
function checkVersions(text: string, directives: readonly Range[], findings: PrefixFinding[]): void {
  let seen = false;
  for (const range of directives) {
    const line = text.slice(range.start, range.end);
    const isVersion = /^%YAML(?:\s|$)/.test(line);
    const isValid = isVersion ? !seen && /^%YAML[ \t]+1\.\d+(?:[ \t]+#.*|[ \t]*)$/.test(line) : /^%[^\s#]/.test(line);
    if (!isValid) findings.push({ code: 'yaml-bad-directive', range });
    seen ||= isVersion;
  }
}
