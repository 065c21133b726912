import { createEffort, diffLines } from './unified-diff.ts';
import { escapeControls, findSecrets, hiddenText } from '../diagnostics/index.ts';
import type { Environment } from './environment.ts';
import { paint } from './paint.ts';

/** A text before and after; `undefined` if it does not exist. */
export interface Difference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface DiffOptions {
  readonly color: boolean;
  /** Escape control characters for a terminal. Otherwise lines are unchanged, for `git apply` and `patch`. */
  readonly escape: boolean;
  /** Hide values of Secrets, for logs. */
  readonly hidesSecrets?: boolean;
}

// Select Graphic Rendition codes, the same as those of git.
const codes: Readonly<Record<string, string>> = { '+': '32', '-': '31', '@': '36' };

/** Writes a unified diff of all texts that differ to standard output. */
export async function writeDiff(
  differences: readonly Difference[],
  { color, escape, hidesSecrets = false }: DiffOptions,
  { writeStdout }: Environment,
): Promise<void> {
  const effort = createEffort();
  for (const { path, before, after } of differences) {
    const [from, to] = [before, after].map((text) => (text === undefined ? '/dev/null' : escapeControls(path)));
    const header = [paint('1', `--- ${from}`, color), paint('1', `+++ ${to}`, color)];
    const hider = hidesSecrets ? createLineHider() : undefined;
    const [old, now] = [before ?? '', after ?? ''].map((text) => hider?.hide(text) ?? text);
    const lines = diffLines(old!, now!, effort).map((line) => paintLine(hider?.show(line) ?? line));
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

/** Lines without values of Secrets; they still differ where the texts differ. */
interface LineHider {
  hide(text: string): string;
  /** The line to print. */
  show(line: string): string;
}

// Not allowed in YAML, so no built text contains it.
const mark = '\u0000';

function createLineHider(): LineHider {
  const numbers = new Map<string, number>();
  return { hide, show: (line) => line.split(mark)[0]! };

  function hide(text: string): string {
    const secrets = findSecrets(text);
    if (secrets.length === 0) return text;
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
      return shown === line ? line : `${shown}${mark}${numberOf(line)}`;
    });
    return lines.join('\n');
  }

  function numberOf(line: string): number {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  }
}
