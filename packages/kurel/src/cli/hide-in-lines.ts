import { findSecrets, hiddenText } from '../diagnostics/index.ts';

/** Lines of texts without what Secrets hold, which still differ where the texts differ. */
export interface LineHider {
  hide(text: string): string;
  /** The line as people may see it. */
  show(line: string): string;
}

// No text that is built has one.
const mark = '\u0000';

export function createLineHider(): LineHider {
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
