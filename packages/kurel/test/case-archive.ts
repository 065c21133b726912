// The text format of a case in one file, after Go's txtar. CONTRIBUTING.md describes it for people.

/** A tree of text files that is written as one text. */
export interface CasePart {
  /** Lines above the first section. */
  readonly comment: string;
  readonly includes: readonly CaseInclude[];
  /** Texts by path, in the order of the sections. They override files that are included. */
  readonly files: ReadonlyMap<string, string>;
}

export interface CaseArchive extends CasePart {
  /** Cases by name that have what is above them in common; empty if the archive is a case itself. */
  readonly cases: ReadonlyMap<string, CasePart>;
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
const caseHeader = /^case ([a-z0-9]+(?:-[a-z0-9]+)*)$/;
const plainPath = /^(?!include |case )[^\s"[\]]+(?: [^\s"[\]]+)*$/;
const flags = { crlf: 'crlf', escaped: 'escaped', open: 'no final newline' } as const;
// Everything that a reader of a difference cannot see, apart from tabs and line breaks.
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether an archive can hold a file: it must be UTF-8, since everything else would not come back byte for byte. */
export function isArchivable(bytes: Uint8Array): boolean {
  return Buffer.from(Buffer.from(bytes).toString('utf8'), 'utf8').equals(bytes);
}

export function formatArchive({ cases, ...shared }: CaseArchive): string {
  return [formatPart(shared), ...Array.from(cases, ([name, part]) => formatCaseHeader(name) + formatPart(part))].join(
    '',
  );
}

function formatCaseHeader(name: string): string {
  if (!caseHeader.test(`case ${name}`)) throw new Error(`"${name}" is not the name of a case in an archive`);
  return `-- case ${name} --\n`;
}

function formatPart({ comment, includes, files }: CasePart): string {
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
  const shared = createPart(lines.slice(0, starts[0]));
  const cases = new Map<string, ReturnType<typeof createPart>>();
  let part = shared;
  for (const [at, start] of starts.entries()) {
    const body = lines.slice(start + 1, starts[at + 1]);
    const [, title = ''] = header.exec(lines[start]!)!;
    const [, name] = caseHeader.exec(title) ?? [];
    if (name === undefined) addSection(part, { title, body, line: start + 1 });
    else {
      if (cases.has(name)) throw new Error(`line ${start + 1}: the case ${name} is there twice`);
      part = createPart(body);
      cases.set(name, part);
    }
  }
  return { ...shared, cases };
}

function createPart(comment: readonly string[]) {
  const includes: CaseInclude[] = [];
  return { comment: joinLines(comment), includes, files: new Map<string, string>() };
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

interface Section {
  readonly title: string;
  readonly body: readonly string[];
  readonly line: number;
}

function addSection({ includes, files }: ReturnType<typeof createPart>, { title, body, line }: Section): void {
  const include = includeHeader.exec(title);
  if (include !== null) {
    if (body.length > 0 || files.size > 0) throw new Error(`line ${line}: includes must come before all files`);
    includes.push({ path: include[1]!, into: include[2] ?? '' });
    return;
  }
  const { path, used } = parseTitle(title, line);
  if (files.has(path)) throw new Error(`line ${line}: ${path} is there twice`);
  files.set(path, parseBody(joinLines(body), used, line));
}

function parseTitle(title: string, line: number): { readonly path: string; readonly used: readonly string[] } {
  const [, name, list] = /^("(?:[^"\\]|\\.)*"|[^"[\]]+?)(?: \[([^\]]*)\])?$/.exec(title) ?? [];
  const used = list?.split(', ') ?? [];
  const allowed: readonly string[] = Object.values(flags);
  if (name === undefined || used.some((flag) => !allowed.includes(flag)))
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
