// The text format of a case in one file, after Go's txtar. CONTRIBUTING.md describes it for people.

/** A tree of text files that is written as one text. */
export interface CaseArchive {
  /** Lines above the first section. */
  readonly comment: string;
  readonly includes: readonly CaseInclude[];
  /** Texts by path, in the order of the sections. They override files that are included. */
  readonly files: ReadonlyMap<string, string>;
}

export interface CaseInclude {
  /** An archive with its ending, or any other file; relative to the archive that names it. */
  readonly path: string;
  /** The directory for the files of an archive, '' for the root of the case; or the path of the other file. */
  readonly into: string;
}

export const caseEnding = '.case';

const header = /^-- (.+) --$/;
const headers = /^-- .+ --$/m;
const includeHeader = /^include (\S+)(?: as (\S+))?$/;
const plainPath = /^(?!include )[^\s"[\]]+(?: [^\s"[\]]+)*$/;
const flags = { crlf: 'crlf', escaped: 'escaped', open: 'no final newline' } as const;
// Everything that a reader of a difference cannot see, apart from tabs and line breaks.
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether an archive can hold a file: it must be UTF-8, since everything else would not come back byte for byte. */
export function isArchivable(bytes: Uint8Array): boolean {
  return Buffer.from(Buffer.from(bytes).toString('utf8'), 'utf8').equals(bytes);
}

export function formatArchive({ comment, includes, files }: CaseArchive): string {
  if (headers.test(comment) || (comment !== '' && !comment.endsWith('\n')))
    throw new Error('the comment of a case must be whole lines, and none of them a section header');
  const included = includes.map(({ path, into }) => `-- include ${path}${into === '' ? '' : ` as ${into}`} --\n`);
  return [comment, ...included, ...Array.from(files, ([path, text]) => formatSection(path, text))].join('');
}

function formatSection(path: string, text: string): string {
  const isCrlf = text.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(text);
  const lines = isCrlf ? text.replaceAll('\r\n', '\n') : text;
  const isEscaped = unseen.test(lines) || headers.test(lines);
  const isOpen = lines !== '' && !lines.endsWith('\n');
  const used = [
    ...(isCrlf ? [flags.crlf] : []),
    ...(isEscaped ? [flags.escaped] : []),
    ...(isOpen ? [flags.open] : []),
  ];
  const name = plainPath.test(path) && !unseen.test(path) ? path : escapeUnseen(JSON.stringify(path));
  const title = used.length === 0 ? name : `${name} [${used.join(', ')}]`;
  return `-- ${title} --\n${isEscaped ? escapeText(lines) : lines}${isOpen ? '\n' : ''}`;
}

function escapeText(text: string): string {
  const visible = escapeUnseen(text.replaceAll('\\', '\\\\'));
  return visible.replaceAll(new RegExp(headers, 'gm'), (line) => `\\u002d${line.slice(1)}`);
}

function escapeUnseen(text: string): string {
  return text.replaceAll(new RegExp(unseen, 'gu'), (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

export function parseArchive(text: string): CaseArchive {
  if (text.includes('\r') || (text !== '' && !text.endsWith('\n')))
    throw new Error('a case must have line breaks \\n, also at its end');
  const lines = text.split('\n').slice(0, -1);
  const starts = lines.flatMap((line, index) => (header.test(line) ? [index] : []));
  const includes: CaseInclude[] = [];
  const files = new Map<string, string>();
  for (const [at, start] of starts.entries()) {
    const body = lines.slice(start + 1, starts[at + 1]).map((line) => `${line}\n`);
    const [, title = ''] = header.exec(lines[start]!)!;
    const include = includeHeader.exec(title);
    if (include !== null) {
      if (body.length > 0 || files.size > 0) throw new Error(`line ${start + 1}: includes must come before all files`);
      includes.push({ path: include[1]!, into: include[2] ?? '' });
      continue;
    }
    const { path, used } = parseTitle(title, start + 1);
    if (files.has(path)) throw new Error(`line ${start + 1}: ${path} is there twice`);
    files.set(path, parseBody(body.join(''), used, start + 1));
  }
  const comment = lines.slice(0, starts[0]).map((line) => `${line}\n`);
  return { comment: comment.join(''), includes, files };
}

function parseTitle(title: string, line: number): { readonly path: string; readonly used: readonly string[] } {
  const [, name, list] = /^("(?:[^"\\]|\\.)*"|[^"[\]]+?)(?: \[([^\]]*)\])?$/.exec(title) ?? [];
  const used = list?.split(', ') ?? [];
  const known: readonly string[] = Object.values(flags);
  if (name === undefined || used.some((flag) => !known.includes(flag)))
    throw new Error(`line ${line}: "${title}" is not the header of a section`);
  return { path: name.startsWith('"') ? (JSON.parse(name) as string) : name, used };
}

function parseBody(body: string, used: readonly string[], line: number): string {
  const isOpen = used.includes(flags.open);
  if (isOpen && body === '') throw new Error(`line ${line}: an empty file has no final newline anyway`);
  const lines = isOpen ? body.slice(0, -1) : body;
  const text = used.includes(flags.escaped) ? unescapeText(lines, line) : lines;
  return used.includes(flags.crlf) ? text.replaceAll('\n', '\r\n') : text;
}

function unescapeText(text: string, line: number): string {
  return text.replaceAll(/\\(\\|u([0-9a-f]{4}))?/g, (whole, kind: string | undefined, unit: string | undefined) => {
    if (kind === undefined) throw new Error(`line ${line}: write \\\\ for a backslash in an escaped section`);
    return unit === undefined ? whole.slice(1) : String.fromCharCode(Number.parseInt(unit, 16));
  });
}
