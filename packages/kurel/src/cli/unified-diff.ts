import { diffArrays } from 'diff';
import { escapeControls, findSecrets, hiddenText } from '../diagnostics/index.ts';
import { createWordFinder } from '../provenance/index.ts';
import { findRising } from '../yaml/index.ts';
import type { Environment } from './environment.ts';
import { paint } from './terminal.ts';

const context = 3;

// The search takes time quadratic in this number; parts that differ more are replaced as a whole.
const mostEdits = 2000;

/** Remaining budget for all texts of a run, in squared edits; without it, parts that differ are replaced as a whole. */
export interface DiffEffort {
  left: number;
}

const mostSquares = 16_000_000;

export function createEffort(): DiffEffort {
  return { left: mostSquares };
}

/** Unchanged, removed or added lines. Unchanged ones are taken from the old text. */
interface Run {
  readonly mark: ' ' | '-' | '+';
  readonly lines: string[];
}

/**
 * The hunks of a unified diff, line by line. Lines that occur once in both texts are anchors, and only the lines between them are
 * searched for the shortest difference: the time is proportional to the size of the texts, however many places differ.
 */
export function diffLines(before: string, after: string, effort: DiffEffort = createEffort()): readonly string[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  const runs: Run[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const [oldNext, nowNext] of [...findAnchors(old, now), [old.length, now.length] as const]) {
    addDifferences(runs, [old.slice(oldAt, oldNext), now.slice(nowAt, nowNext)], effort);
    addRun(runs, ' ', old.slice(oldNext, oldNext + 1));
    [oldAt, nowAt] = [oldNext + 1, nowNext + 1];
  }
  return formatHunks(runs);
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function addRun(runs: Run[], mark: Run['mark'], lines: readonly string[]): void {
  if (lines.length === 0) return;
  const last = runs.at(-1);
  if (last?.mark !== mark) runs.push({ mark, lines: [...lines] });
  // Not by spreading: there may be more lines than a call takes arguments.
  else for (const line of lines) last.lines.push(line);
}

function addDifferences(
  runs: Run[],
  [old, now]: readonly [old: readonly string[], now: readonly string[]],
  effort: DiffEffort,
): void {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  addRun(runs, ' ', old.slice(0, start));
  const [oldRest, nowRest] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const parts = searchEdits(oldRest, nowRest, effort);
  if (parts === undefined) {
    addRun(runs, '-', oldRest);
    addRun(runs, '+', nowRest);
  }
  for (const { added, removed, value } of parts ?? []) addRun(runs, added ? '+' : removed ? '-' : ' ', value);
  addRun(runs, ' ', old.slice(old.length - end));
}

/** `undefined` if there is nothing to search, or no budget for it. */
function searchEdits(
  old: readonly string[],
  now: readonly string[],
  effort: DiffEffort,
): ReturnType<typeof diffArrays<string>> | undefined {
  if (old.length === 0 || now.length === 0) return undefined;
  const maxEditLength = Math.min(mostEdits, Math.floor(Math.sqrt(Math.max(0, effort.left))));
  if (maxEditLength === 0) return undefined;
  const parts = diffArrays([...old], [...now], { maxEditLength });
  const edits = parts?.reduce((sum, { added, removed, value }) => sum + (added || removed ? value.length : 0), 0);
  effort.left -= (edits ?? Math.min(maxEditLength, old.length + now.length)) ** 2;
  return parts;
}

/** Positions of lines that occur once in each text: the longest sequence with the same order in both. */
function findAnchors(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const [oldOnce, nowOnce] = [positionsOfUnique(old), positionsOfUnique(now)];
  const pairs: (readonly [old: number, now: number])[] = [];
  for (const [line, position] of oldOnce) {
    const other = nowOnce.get(line);
    if (other !== undefined) pairs.push([position, other]);
  }
  return findRising(pairs.map(([, position]) => position)).map((index) => pairs[index]!);
}

function positionsOfUnique(lines: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, line] of lines.entries()) positions.set(line, positions.has(line) ? -1 : index);
  for (const [line, position] of positions) if (position === -1) positions.delete(line);
  return positions;
}

interface Hunk {
  readonly oldStart: number;
  readonly nowStart: number;
  oldLines: number;
  nowLines: number;
  readonly lines: string[];
}

function formatHunks(runs: readonly Run[]): readonly string[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  let [oldAt, nowAt] = [0, 0];
  const add = (mark: Run['mark'], lines: readonly string[]): void => {
    if (mark !== '+') hunk!.oldLines += lines.length;
    if (mark !== '-') hunk!.nowLines += lines.length;
    for (const line of lines) for (const shown of formatLine(mark, line)) hunk!.lines.push(shown);
  };
  for (const [index, { mark, lines }] of runs.entries()) {
    if (mark === ' ') {
      const isLast = index === runs.length - 1;
      if (hunk !== undefined && !isLast && lines.length <= 2 * context) add(mark, lines);
      else if (hunk !== undefined) {
        add(mark, lines.slice(0, context));
        hunk = undefined;
      }
    } else {
      if (hunk === undefined) {
        const lead = runs[index - 1]?.mark === ' ' ? runs[index - 1]!.lines.slice(-context) : [];
        hunk = { oldStart: oldAt - lead.length, nowStart: nowAt - lead.length, oldLines: 0, nowLines: 0, lines: [] };
        hunks.push(hunk);
        add(' ', lead);
      }
      add(mark, lines);
    }
    if (mark !== '+') oldAt += lines.length;
    if (mark !== '-') nowAt += lines.length;
  }
  return hunks.flatMap(({ oldStart, nowStart, oldLines, nowLines, lines }) =>
    [`@@ -${formatRange(oldStart, oldLines)} +${formatRange(nowStart, nowLines)} @@`].concat(lines),
  );
}

/** Lines count from 1; an empty range is named by the line before it. */
function formatRange(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

function formatLine(mark: Run['mark'], line: string): readonly string[] {
  return line.endsWith('\n') ? [`${mark}${line.slice(0, -1)}`] : [`${mark}${line}`, '\\ No newline at end of file'];
}

/** A text before and after; `undefined` if it does not exist. */
export interface Difference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface DiffOptions {
  readonly color: boolean;
  /** Escape control characters for a terminal. Otherwise lines are unchanged, for `git apply` and `patch`. */
  readonly escape: boolean;
  /** Hide values of Secrets, and lines with these words, for logs. */
  readonly secrets?: readonly string[];
}

// Select Graphic Rendition codes, the same as those of git.
const codes: Readonly<Record<string, string>> = { '+': '32', '-': '31', '@': '36' };

export async function writeDiff(
  differences: readonly Difference[],
  { color, escape, secrets }: DiffOptions,
  { writeStdout }: Environment,
): Promise<void> {
  const effort = createEffort();
  const holdsWord = createWordFinder(secrets ?? []);
  const hide = (text: string): string => (secrets === undefined ? text : hideSecretLines(text, holdsWord));
  for (const { path, before, after } of differences) {
    const [from, to] = [before, after].map((text) => (text === undefined ? '/dev/null' : escapeControls(path)));
    const header = [paint('1', `--- ${from}`, color), paint('1', `+++ ${to}`, color)];
    const [old, now] = [before ?? '', after ?? ''].map(hide);
    const lines = diffLines(old!, now!, effort).map((line) =>
      paintLine(secrets === undefined ? line : line.split(mark)[0]!),
    );
    writeStdout(`${[...header, ...lines].join('\n')}\n`);
  }

  function paintLine(line: string): string {
    return paint(codes[line[0] ?? ''], escape ? escapeLine(line) : line, color);
  }
}

/** A line for a terminal; tabs are safe. */
export function escapeLine(line: string): string {
  return line.split('\t').map(escapeControls).join('\t');
}

// Not allowed in YAML, so no built text contains it.
const mark = '\u0000';

/** The text with hidden values of Secrets. After a mark, each of their lines is repeated, so that lines still differ where the texts do. */
function hideSecretLines(text: string, holdsWord: (line: string) => boolean): string {
  const secrets = findSecrets(text);
  if (secrets.length === 0 && !holdsWord(text)) return text;
  let next = 0;
  let start = 0;
  const lines = text.split('\n').map((line) => {
    const end = start + line.length;
    let shown = '';
    let at = start;
    while (next < secrets.length && secrets[next]!.start < end) {
      const secret = secrets[next]!;
      shown += `${text.slice(at, Math.max(at, secret.start))}${hiddenText}`;
      at = Math.min(secret.end, end);
      if (secret.end > end) break;
      next += 1;
    }
    shown += text.slice(at, end);
    start = end + 1;
    while (next < secrets.length && secrets[next]!.end <= start) next += 1;
    if (shown === line && holdsWord(line)) shown = `${keyOf(line)}${hiddenText}`;
    return shown === line ? line : `${shown}${mark}${line}`;
  });
  return lines.join('\n');
}

/** The part of a line before its value. */
function keyOf(line: string): string {
  return /^ *(?:- +)*(?:[\w."'/-]+: +)?/.exec(line)![0];
}
