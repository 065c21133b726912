import { quote } from '../../diagnostics/index.ts';
import { HASH, skipBlanks, trimBlanks } from './characters.ts';
import type { Span } from './characters.ts';
import { refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

/** The comment after a header or value; `undefined` if something else follows, which is reported. */
export function readTrailing(
  reading: Reading,
  { from, to, after }: Span & { readonly after: string },
): string | undefined {
  const { text } = reading.source;
  const start = skipBlanks(text, { from, to });
  const end = trimBlanks(text, { from: start, to });
  const isComment = text.charCodeAt(start) === HASH;
  if (start === to || (isComment && start > from)) return text.slice(start, end);
  refuseSyntax(reading, {
    reason: isComment
      ? `a space is missing between ${after} and the comment`
      : `unexpected ${quote(text.slice(start, end))} after ${after}`,
    hint: isComment ? 'put a space before the `#`' : 'remove it; only a comment may follow on this line',
    range: { start, end },
  });
  return undefined;
}
