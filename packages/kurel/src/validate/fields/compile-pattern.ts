/**
 * Reads a regular expression of Go (RE2), in which CRDs are written; `undefined` when it has something that cannot be said
 * here. The two languages differ only in details that are put right first.
 */
export function compilePattern(pattern: string): ((text: string) => boolean) | undefined {
  const expression = compileExpression(pattern);
  return expression === undefined ? undefined : (text) => expression.test(text);
}

/** `extra` are flags of the expression beside those that the pattern itself asks for. */
export function compileExpression(pattern: string, extra = ''): RegExp | undefined {
  // Flags for the whole pattern; Go also takes them behind the first anchor.
  const leading = /^(\^?)\(\?([ims]+)\)/.exec(pattern);
  const flags = `${leading?.[2] ?? ''}${extra}`;
  const source = `${leading?.[1] ?? ''}${translate(pattern.slice(leading?.[0].length ?? 0))}`;
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(source, `${flags}${unicode}`);
    } catch {
      // Without `u` needless escapes such as `\-` outside of a set are allowed, as they are in Go.
    }
  }
  return undefined;
}

const classes: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: 'A-Za-z0-9_',
  xdigit: '0-9A-Fa-f',
};

/** Classes of characters whose names have one letter need no braces in Go: `\PC` is `\P{C}`. */
function translate(pattern: string): string {
  return pattern
    .replaceAll(/\[:([a-z]+):\]/g, (whole, name: string) => classes[name] ?? whole)
    .replaceAll('(?P<', '(?<')
    .replaceAll(
      /(\\\\)|\\([pP])([A-Z])/g,
      (_, backslash: string | undefined, kind: string, name: string) => backslash ?? `\\${kind}{${name}}`,
    )
    .replaceAll(
      /(\\\\)|\\([AzZ])/g,
      (_, backslash: string | undefined, anchor: string) => backslash ?? (anchor === 'A' ? '^' : '$'),
    );
}
