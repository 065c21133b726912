/** One text of several files: a line `=== path` before each but the first, which needs none. */
export function splitParts(text: string): readonly { readonly path: string; readonly text: string }[] {
  const [first, ...rest] = text.split(/^=== /m);
  const parts = rest.map((part) => {
    const end = part.indexOf('\n');
    return end === -1 ? { path: part, text: '' } : { path: part.slice(0, end), text: part.slice(end + 1) };
  });
  return [{ path: '', text: first! }, ...parts];
}

export function joinParts(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([path, text]) => `=== ${path}\n${text === '' || text.endsWith('\n') ? text : `${text}\n`}`)
    .join('');
}
