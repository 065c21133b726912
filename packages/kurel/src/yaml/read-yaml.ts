import { createBudget, listFindings } from '../budget/index.ts';
import { shorten } from '../diagnostics/index.ts';
import type { Budget, Diagnostic, Json, Memory, Range, SourceFile } from '../model/index.ts';
import {
  blankControlCharacters,
  DASH,
  findControlCharacter,
  HASH,
  isBreakOrEnd,
  isClusterBreak,
  nameCharacter,
  PERCENT,
  skipByteOrderMark,
} from './char-codes.ts';
import { yamlProblems } from './problems.ts';
import { readBlockNode, refuseIndentation } from './read-block.ts';
import { skipBlanks } from './read-plain.ts';
import { findOverflow } from './read-scalar.ts';
import {
  defaultLimits,
  endOfLine,
  enterLine,
  isMarker,
  mostFindings,
  moveToContent,
  passBreak,
  Reading,
  refuse,
  RefusedDocument,
  type DocumentPlace,
  type EntryMark,
  type Marks,
  type YamlLimits,
  countLevels,
  mostLevels,
} from './reading.ts';
import { createKeyCache } from './resolve-plain-scalar.ts';
import type { YamlWords } from './resolve-plain-scalar.ts';

export interface YamlDocument {
  /** Index in the text, from 0; rejected documents count too. */
  readonly index: number;
  /**
   * The text of the document with its comments, without directives and the `---` and `...` around it. Content after `---`
   * on the same line is included.
   */
  readonly range: Range;
  /** `undefined` when the document is empty or has only comments. */
  readonly data: Json | undefined;
}

export interface YamlReading {
  /** Only documents without errors. */
  readonly documents: readonly YamlDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** Plain scalars that kubectl and kustomize read differently, each once. */
  readonly divergent: ReadonlySet<string>;
}

interface ReadYamlOptions {
  readonly limits?: Partial<YamlLimits>;
  /** The budget of the run; defaults to a separate one. */
  readonly budget?: Budget | undefined;
  /** Keeps the reading for later builds; defaults to the memory of the budget. */
  readonly memory?: Memory | undefined;
  /** Defaults to `kubernetes`: manifests mean what kubectl reads. */
  readonly words?: YamlWords;
}

const charactersOfValue = 64;
/** In a message. */
const longestNumber = 40;

/** Reads all documents of a text and reports all problems; an invalid document does not hide the next one. */
export function readYaml(source: SourceFile, options: ReadYamlOptions = {}): YamlReading {
  const { limits, words = 'kubernetes', budget = createBudget(), memory = budget.memory } = options;
  if (memory === undefined || limits !== undefined) return readDocuments(source, options);
  const { values, findings } = budget;
  let isNew = false;
  const { reading, used } = memory.keep({
    kind: 'yaml',
    content: `${words} ${findings} ${source.path.length} ${source.path}${source.text}`,
    create() {
      const before = values.left;
      isNew = true;
      const created = readDocuments(source, { words, budget });
      // A reading that exhausted the budget would be different with a larger one, so it must not be reused.
      return { reading: created, used: values.left < 0 ? Infinity : before - values.left };
    },
    weigh: (kept) => kept.used * charactersOfValue,
  });
  if (isNew) return reading;
  if (used > values.left) return readDocuments(source, { words, budget });
  values.left -= used;
  return reading;
}

function readDocuments(source: SourceFile, options: ReadYamlOptions): YamlReading {
  const limits = { ...defaultLimits, ...options.limits };
  const { budget = createBudget() } = options;
  const file = source.path;
  const { length } = source.text;
  const refuseText = (problem: Diagnostic): YamlReading => {
    return { documents: [], diagnostics: [problem], divergent: new Set() };
  };
  const describeCharacter = (at: number, document?: number): Diagnostic => {
    const code = isClusterBreak(source.text, at) ? 'yaml-line-break' : 'yaml-control-character';
    const range = { start: at, end: at + 1 };
    const location = document === undefined ? { file, range } : { file, document, range };
    return yamlProblems.create(code, { code: nameCharacter(source.text, at) }, { location });
  };
  if (length > limits.length) {
    const args = { length, limit: limits.length };
    return refuseText(yamlProblems.create('yaml-too-large', args, { location: { file } }));
  }
  const nul = source.text.indexOf('\0');
  // Text never contains a NUL: this is a binary file, and further findings would be useless.
  if (nul >= 0) return refuseText(describeCharacter(nul));
  const overflow = findOverflow(source);
  if (overflow !== undefined) {
    const word = shorten(source.text.slice(overflow.start, overflow.end), longestNumber);
    return refuseText(
      yamlProblems.create('yaml-json-number', { word }, { location: { file, document: 0, range: overflow } }),
    );
  }
  let pos = skipByteOrderMark(source.text);
  let control = findControlCharacter(source.text, pos);
  const text = control === length ? source.text : blankControlCharacters(source.text);
  const hasReturns = text.includes('\r');
  const partAt = splitText(text, hasReturns);
  const keys = createKeyCache(options.words ?? 'kubernetes');
  const documents: YamlDocument[] = [];
  const reported = listFindings(budget);
  for (let index = 0; ; index++) {
    const { start, lineStart, findings } = readPrefix(partAt(pos), pos);
    let own: readonly Diagnostic[] = findings.map(({ code, range }) =>
      yamlProblems.create(
        code,
        { word: text.slice(range.start, range.end).trimEnd() },
        { location: { file, document: index, range } },
      ),
    );
    let end = length;
    let data: Json | undefined;
    if (start !== undefined) {
      if (index === limits.documents) {
        const location = { file, document: index, range: { start, end: start } };
        reported.report(yamlProblems.create('yaml-too-many-documents', { limit: limits.documents }, { location }));
        break;
      }
      const { text: part, base } = partAt(start);
      // Not spread: V8 makes large objects of copies, and does not collect them for long.
      const place = {
        source,
        text: part,
        base,
        limits,
        values: budget.values,
        document: index,
        start: start - base,
        lineStart: lineStart - base,
        keys,
        hasReturns,
      };
      const result = readDocument(place, false);
      // Not spread into arguments: there may be more than a call accepts.
      own = own.concat(result.diagnostics);
      data = result.data;
      end =
        result.diagnostics.length === 0
          ? base + result.reading.pos
          : base + findMarkerLine(part, { from: result.reading.lineStart, start: place.start });
    }
    if (control < end) {
      // Other findings around a forbidden character would be useless.
      own = [describeCharacter(control, index)];
      control = findControlCharacter(source.text, end);
    }
    own.forEach(reported.report);
    if (start === undefined) break;
    if (own.length === 0) documents.push({ index, range: { start, end }, data });
    pos = end;
  }
  return { documents, diagnostics: reported.all(), divergent: keys.words.divergent };
}

type TextPart = Pick<DocumentPlace, 'text' | 'base'>;

/**
 * Only the last document is copied to end it with a NUL, because readers stop at the marker of the next one. Values are slices of the
 * text, so a copy of a long text would stay in memory with them. Returns which part to read from an offset.
 */
function splitText(text: string, hasReturns: boolean): (offset: number) => TextPart {
  const base = hasReturns ? 0 : text.lastIndexOf('\n---\n') + 1;
  const [front, back] = [
    { text, base: 0 },
    { text: `${text.slice(base)}\0`, base },
  ];
  return (offset) => (offset < base ? front : back);
}

/** The text between two documents; offsets count from the start of the whole text. */
interface Prefix {
  /** The start of the next document; `undefined` if there is none. */
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

/** Reads blank lines, comments, directives and `...` up to the start of a document's content. */
function readPrefix({ text, base }: TextPart, offset: number): Prefix {
  const from = offset - base;
  const findings: PrefixFinding[] = [];
  const find = ({ code, range: { start, end } }: PrefixFinding): void => {
    if (findings.length < mostFindings) findings.push({ code, range: { start: start + base, end: end + base } });
  };
  const directives: Range[] = [];
  /** Comments before a document without `---` belong to it. */
  let bareStart = from;
  /** Whether a document may start without `---`: only the first one, and not after `...`. */
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
        return { start: base + start, lineStart: base + (start === lineStart + 3 ? lineStart : start), findings };
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
      return { start: base + bareStart, lineStart: base + bareStart, findings };
    } else {
      const tab = text.slice(lineStart, content).indexOf('\t');
      if (tab !== -1) find({ code: 'yaml-tab-indentation', range: { start: lineStart + tab, end: lineEnd } });
    }
    pos = passBreak(text, lineEnd);
    if (pos === lineEnd) {
      for (const range of directives) find({ code: 'yaml-bad-directive', range });
      return { start: undefined, lineStart: base + pos, findings };
    }
  }
}

/** The start of the next line with a marker, searching from `from`, but not before the line after `start`. */
function findMarkerLine(text: string, { from, start }: { readonly from: number; readonly start: number }): number {
  let pos = from;
  for (;;) {
    if (pos >= start && isMarker(text, pos)) return pos;
    const lineEnd = endOfLine(text, pos);
    pos = passBreak(text, lineEnd);
    if (pos === lineEnd) return pos;
  }
}

/** Kubernetes tools accept one `%YAML 1.1` directive per document and reject all others. */
function checkDirectives(text: string, directives: readonly Range[], find: (finding: PrefixFinding) => void): void {
  for (const [index, range] of directives.entries()) {
    const isValid = index === 0 && /^%YAML[ \t]+1\.1(?:[ \t]+#.*|[ \t]*)$/.test(text.slice(range.start, range.end));
    if (!isValid) find({ code: 'yaml-bad-directive', range });
  }
}

interface DocumentReading {
  readonly reading: Reading;
  /** `undefined` for an empty document and for one with errors. */
  readonly data: Json | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one document up to the next marker or the end of the text; the position of the reading is then there. */
function readDocument(place: DocumentPlace, marks: boolean): DocumentReading {
  const first = attempt(place, marks);
  // Only a reading with marks knows the position of the first of two duplicate keys.
  return first.reading.sawDuplicate && !marks ? attempt(place, true) : first;
}

function attempt(place: DocumentPlace, marks: boolean): DocumentReading {
  const reading = new Reading(place, marks);
  try {
    const data = readRoot(reading);
    if (reading.isDeep && data !== undefined && countLevels(data) > mostLevels) {
      refuse(reading, 'yaml-too-many-levels', { range: { start: place.start, end: place.start }, limit: mostLevels });
    }
    const hasFindings = reading.diagnostics.length > 0;
    return { reading, data: hasFindings ? undefined : data, diagnostics: reading.diagnostics };
  } catch (error) {
    if (!(error instanceof RefusedDocument)) throw error;
    return { reading, data: undefined, diagnostics: [...reading.diagnostics, error.diagnostic] };
  }
}

function readRoot(r: Reading): Json | undefined {
  if (r.pos === r.lineStart) {
    enterLine(r, r.pos);
    if (r.column < 0) return undefined;
  } else {
    r.pos = skipBlanks(r.text, r.pos);
    const code = r.text.charCodeAt(r.pos);
    if (isBreakOrEnd(code) || code === HASH) {
      moveToContent(r);
      if (r.column < 0) return undefined;
    } else {
      // Content on the line of `---` cannot start a block object or list.
      r.column = -1;
    }
  }
  const data = readBlockNode(r, -1, 'document');
  if (r.column >= 0 && r.until?.size !== 0) refuseIndentation(r, -1);
  return data;
}

export interface MarkedDocument {
  readonly data: Json;
  readonly marks: Marks;
  /** The range and style of the root value, which no collection records. */
  readonly root: Pick<EntryMark, 'valueRange' | 'value' | 'decorated'>;
  /** Offset of the key that the reading stopped at; undefined when it reached the end of the document. */
  readonly stop: number | undefined;
  readonly hasAnchors: boolean;
}

/** Which part of a document to read and mark; defaults to all of it. */
interface Extent extends Pick<DocumentPlace, 'until' | 'markedDepth'> {
  /** The words it was read with before; defaults to `kubernetes`. */
  readonly words?: YamlWords | undefined;
}

/** Reads a valid document again, this time with the positions of its parts. */
export function readMarkedDocument(
  source: SourceFile,
  range: Range,
  { words = 'kubernetes', ...extent }: Extent = {},
): MarkedDocument {
  const { start, end } = range;
  const before = start === 0 ? '\n' : source.text.charAt(start - 1);
  const onFreshLine = before === '\n' || before === '\r' || before === '\ufeff';
  // Otherwise the document starts on the line of its `---`. Only this part of the text is passed on, so that reading
  // many documents of one large text stays cheap.
  const base = onFreshLine ? start : start - 3;
  const text = `${source.text.slice(base, end)}\0`;
  const { reading, data, diagnostics } = readDocument(
    {
      source,
      text,
      base,
      keys: createKeyCache(words),
      limits: { ...defaultLimits, depth: Infinity },
      // The first reading already checked the budget.
      values: { limit: Infinity, left: Infinity },
      document: 0,
      start: start - base,
      hasReturns: text.includes('\r'),
      lineStart: 0,
      ...extent,
    },
    true,
  );
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(`${source.path} is not a valid document: ${problem.message}`);
  return {
    data: data ?? null,
    marks: reading.marks ?? new Map(),
    root: {
      valueRange: { start: base + reading.valueStart, end: base + reading.contentEnd },
      value: reading.valueStyle,
      decorated: reading.valueDecorated,
    },
    stop: extent.until !== undefined && reading.column >= 0 ? base + reading.pos : undefined,
    hasAnchors: reading.anchors !== undefined,
  };
}
