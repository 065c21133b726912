import type { Range } from '../model/index.ts';
import { DASH, HASH, PERCENT, isBreakOrEnd } from './char-codes.ts';
import { skipByteOrderMark } from './control-characters.ts';
import { skipBlanks } from './read-plain.ts';
import { endOfLine, isMarker, passBreak } from './reading.ts';
import type { yamlProblems } from './problems.ts';
import { mostFindings } from './refuse.ts';

/** What stands between two documents. */
export interface Prefix {
  /** Where the next document starts; `undefined` when there is none. */
  readonly start: number | undefined;
  /** Start of the line of `start`. */
  readonly lineStart: number;
  readonly findings: readonly PrefixFinding[];
}

interface PrefixFinding {
  readonly code: Extract<
    keyof typeof yamlProblems.definitions,
    'yaml-bad-directive' | 'yaml-bad-document-end' | 'yaml-missing-document-start' | 'yaml-tab-indentation'
  >;
  readonly range: Range;
}

/** Reads empty lines, comments, directives and `...` up to the start of a document's content. */
export function readPrefix(text: string, from: number): Prefix {
  const findings: PrefixFinding[] = [];
  const find = (finding: PrefixFinding): void => {
    if (findings.length < mostFindings) findings.push(finding);
  };
  const directives: Range[] = [];
  /** Comments in front of a document without `---` belong to it. */
  let bareStart = from;
  /** Whether a document may start without `---`: only the first one may, and not behind `...`. */
  let mayBeBare = skipByteOrderMark(text) === from;
  let pos = from;
  for (;;) {
    const lineStart = pos;
    const content = skipBlanks(text, pos);
    const code = text.charCodeAt(content);
    const lineEnd = endOfLine(text, content);
    const line = { start: content, end: lineEnd };
    if (isMarker(text, lineStart)) {
      if (code === DASH) {
        checkDirectives(text, directives, find);
        const rest = skipBlanks(text, lineStart + 3);
        const start = isBreakOrEnd(text.charCodeAt(rest)) ? passBreak(text, rest) : lineStart + 3;
        return { start, lineStart: start === lineStart + 3 ? lineStart : start, findings };
      }
      const rest = skipBlanks(text, lineStart + 3);
      if (!isBreakOrEnd(text.charCodeAt(rest)) && text.charCodeAt(rest) !== HASH) {
        find({ code: 'yaml-bad-document-end', range: { start: rest, end: lineEnd } });
      } else if (mayBeBare || directives.length > 0) {
        find({ code: 'yaml-missing-document-start', range: { start: lineStart, end: lineStart + 3 } });
      }
      mayBeBare = false;
      bareStart = passBreak(text, lineEnd);
    } else if (code === PERCENT && content === lineStart) {
      directives.push(line);
    } else if (!isBreakOrEnd(code) && code !== HASH) {
      for (const range of directives) find({ code: 'yaml-bad-directive', range });
      if (!mayBeBare) find({ code: 'yaml-missing-document-start', range: line });
      if (directives.length > 0) bareStart = lineStart;
      return { start: bareStart, lineStart: bareStart, findings };
    } else {
      const tab = text.slice(lineStart, content).indexOf('\t');
      if (tab !== -1) find({ code: 'yaml-tab-indentation', range: { start: lineStart + tab, end: lineEnd } });
    }
    pos = passBreak(text, lineEnd);
    if (pos === lineEnd) {
      for (const range of directives) find({ code: 'yaml-bad-directive', range });
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

/** A document may say once that it is YAML 1.1; the cluster refuses documents with any other directive. */
function checkDirectives(text: string, directives: readonly Range[], find: (finding: PrefixFinding) => void): void {
  for (const [index, range] of directives.entries()) {
    const isValid = index === 0 && /^%YAML[ \t]+1\.1(?:[ \t]+#.*|[ \t]*)$/.test(text.slice(range.start, range.end));
    if (!isValid) find({ code: 'yaml-bad-directive', range });
  }
}
