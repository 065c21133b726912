import { scripts } from '../../packages/kurel/src/cli/completion/scripts.ts';
import { writeTar } from '../../packages/kurel/test/write-tar.ts';
import { createManPages } from './man-pages.ts';

export interface ArchivedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly isExecutable?: boolean;
}

/** Under the names that each shell gives to such files. */
const completionFiles = { bash: 'kurel.bash', zsh: '_kurel', fish: 'kurel.fish', powershell: 'kurel.ps1' } as const;

/** What an archive has besides the executable and the licences. */
export async function createCompanions(): Promise<readonly ArchivedFile[]> {
  const pages = (await createManPages()).map(({ file, text }) => ({ path: `man/man1/${file}`, content: text }));
  const completions = Object.entries(scripts).map(([shell, text]) => ({
    path: `completion/${completionFiles[shell as keyof typeof scripts]}`,
    content: text,
  }));
  return [...pages, ...completions];
}

/** A tar of one directory. The same files give the same bytes: sorted, without owners and times. */
export function packDirectory(directory: string, files: readonly ArchivedFile[]): Uint8Array {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return writeTar(
    sorted.map(({ path, content, isExecutable = false }) => ({
      name: `${directory}/${path}`,
      content,
      mode: isExecutable ? 0o755 : 0o644,
    })),
  );
}
