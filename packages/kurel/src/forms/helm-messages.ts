/** Parsed standard error of helm. */
export interface HelmMessages {
  readonly warnings: readonly string[];
  /** Message from helm, on one line. */
  readonly error: string;
  /** Lines count from 1; a column is a byte offset in the line, as Go templates count, if it is known. */
  readonly position: { readonly file: string; readonly line: number; readonly column: number | undefined } | undefined;
  /** A file without a line. */
  readonly file: string | undefined;
  /** Schema errors of values, by chart. */
  readonly refusals: readonly { readonly owner: string; readonly reason: string }[];
  readonly missingDependencies: string | undefined;
}

// `coalesce.go:298: warning: …` and `WARNING: …` of helm 3; `level=WARN msg="…"` and `level=INFO msg="warning: …"` of helm 4
const warningLine = /^(?:(?:\w+\.go:\d+: )?warning: |(?:\w+\.go:\d+: )(?=found symbolic link))(.*)$/i;
const logLine = /^(?:time=\S+ )?level=(DEBUG|INFO|WARN) msg=(?:"((?:[^"\\]|\\.)*)"|(\S+))/;
const debugHint = 'Use --debug flag to render out invalid YAML';
// helm 4 begins with the position of a failed action, and has the rest on the next lines.
const templatePosition = /(?:template: |error at \(|^(?=[^\s:()]+:\d+:\d+\s+executing ))([^\s:()]+):(\d+)(?::(\d+))?/;

export function readHelmMessages(stderr: string): HelmMessages {
  const warnings: string[] = [];
  const rest: string[] = [];
  for (const line of stderr.split(/\r?\n/)) {
    const [, level, quoted, word] = logLine.exec(line) ?? [];
    const message = quoted?.replaceAll(/\\(.)/g, '$1') ?? word;
    const warning = level === 'WARN' ? message : warningLine.exec(message ?? line)?.[1];
    if (warning !== undefined) warnings.push(warning);
    else if (level === undefined) rest.push(line);
  }
  const text = rest
    .join('\n')
    .split(debugHint)
    .map((part) => part.trim())
    .join('')
    .replace(/^\s*Error: /, '')
    .trim();
  const [, file, line, column] = templatePosition.exec(text) ?? [];
  return {
    warnings,
    error: text.replaceAll(/\s+/g, (blank) => (blank.includes('\n') ? ' ' : blank)) || 'no reason given',
    position:
      file === undefined
        ? undefined
        : { file, line: Number(line), column: column === undefined ? undefined : Number(column) },
    file: /parse error on ([^\s:]+):/.exec(text)?.[1],
    refusals: readRefusals(text),
    missingDependencies: /missing in charts\/ directory: (.+)$/m.exec(text)?.[1],
  };
}

function readRefusals(text: string): HelmMessages['refusals'] {
  const [head, ...lines] = text.split('\n');
  if (!head!.startsWith("values don't meet the specifications of the schema")) return [];
  const refusals: { owner: string; reason: string }[] = [];
  let owner = '';
  for (const line of lines) {
    if (line.startsWith('- ')) refusals.push({ owner, reason: line.slice(2) });
    else if (line.endsWith(':')) owner = line.slice(0, -1);
  }
  return refusals;
}
