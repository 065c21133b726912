import { escapeControls } from '../diagnostics/index.ts';
import type { Environment } from './environment.ts';
import { createLineHider } from './hide-in-lines.ts';

/** A text before and after; `undefined` where there is none. */
export interface Difference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface DiffOptions {
  readonly color: boolean;
  /** For people: nothing in a text can steer the terminal. Otherwise lines are as they are, for `git apply` and `patch`. */
  readonly escape: boolean;
  /** Without what Secrets hold, for logs. */
  readonly hidesSecrets?: boolean;
}

// Select Graphic Rendition codes, as git has them.
const codes: Readonly<Record<string, string>> = { '+': '32', '-': '31', '@': '36' };

/** Writes a unified diff of all texts that differ to standard output. */
export async function writeDiff(
  differences: readonly Difference[],
  { color, escape, hidesSecrets = false }: DiffOptions,
  { writeStdout }: Environment,
): Promise<void> {
  const { createEffort, diffLines } = await import('./unified-diff.ts');
  const effort = createEffort();
  for (const { path, before, after } of differences) {
    const [from, to] = [before, after].map((text) => (text === undefined ? '/dev/null' : escapeControls(path)));
    const header = [paint('1', `--- ${from}`), paint('1', `+++ ${to}`)];
    const hider = hidesSecrets ? createLineHider() : undefined;
    const [old, now] = [before ?? '', after ?? ''].map((text) => hider?.hide(text) ?? text);
    const lines = diffLines(old!, now!, effort).map((line) => paintLine(hider?.show(line) ?? line));
    writeStdout(`${[...header, ...lines].join('\n')}\n`);
  }

  function paintLine(line: string): string {
    const shown = escape ? line.split('\t').map(escapeControls).join('\t') : line;
    return paint(codes[line[0] ?? ''], shown);
  }

  function paint(code: string | undefined, text: string): string {
    return color && code !== undefined ? `\u001B[${code}m${text}\u001B[0m` : text;
  }
}
