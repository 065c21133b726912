export interface Pager {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Rows of the terminal. */
  readonly rows: number | undefined;
  readonly write: (text: string) => void;
}

/** Shows text in a pager if it is longer than the screen; writes it if it is not, or if the pager cannot be started. */
export async function pageText(text: string, { variables, rows = 0, write }: Pager): Promise<void> {
  const command = choosePager(variables);
  const isLong = text.split('\n').length > rows;
  if (!isLong || rows === 0 || command === '' || command === 'cat' || variables['TERM'] === 'dumb') return write(text);
  const isShown = await runPager(command, text, variables);
  if (!isShown) write(text);
}

/** Empty if the user disabled the pager. */
function choosePager(variables: Pager['variables']): string {
  const fallback = process.platform === 'win32' ? '' : 'less';
  return (variables['KUREL_PAGER'] ?? variables['PAGER'] ?? fallback).trim();
}

/** The command is the user's own setting and may have arguments, so a shell runs it, as git does. */
function runPager(command: string, text: string, variables: Pager['variables']): Promise<boolean> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    // Colours, no pager for short texts, and the text stays on the screen. The user's LESS takes precedence.
    const env = { LESS: 'FRX', ...variables };
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
    child.on('error', () => resolve(false));
    // A shell exits with 127 or 126 if it cannot run the command.
    child.on('close', (code) => resolve(code !== 127 && code !== 126));
    // The user may leave the pager before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}
