import { quote } from '../diagnostics/index.ts';
import { isDeviceName } from '../model/index.ts';

/** Why an archive is rejected: the message completes a sentence, as in `cannot use "…": it is truncated`. */
export class TarError extends Error {
  override readonly name = 'TarError';
  readonly fault: 'content' | 'size' | 'encoding';

  constructor(message: string, fault: TarError['fault'] = 'content', options?: { readonly cause?: unknown }) {
    super(message, options);
    this.fault = fault;
  }
}

const mostParts = 100;

const problems: readonly (readonly [isWrong: (name: string) => boolean, problem: string])[] = [
  [(name) => name === '', 'has no name'],
  [(name) => name.length > 1024, 'has a name that is too long'],
  [(name) => /\p{Cc}/u.test(name), 'has a control character in its name'],
  [(name) => /^(?:\/|[A-Za-z]:)/.test(name), 'has an absolute name'],
  [(name) => name.includes('\\'), 'has a backslash in its name'],
  [(name) => name.split('/').includes('..'), 'points outside the archive with ".."'],
  [(name) => name.includes(':'), 'has a colon in its name'],
  [(name) => name.split('/').some(isDeviceName), 'has the name of a Windows device'],
  [
    (name) => name.split('/').some((part) => part !== '.' && /[. ]$/.test(part)),
    'has a name that ends in a dot or a space',
  ],
  [(name) => name.split('/').length > mostParts, `is in more than ${mostParts} directories`],
];

/** The name without `.` and doubled slashes; throws for every name that could escape the target directory. */
export function checkEntryName(name: string): string {
  const problem = problems.find(([isWrong]) => isWrong(name))?.[1];
  if (problem !== undefined) throw new TarError(`the entry ${quote(name)} ${problem}`);
  return name
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .join('/');
}

/** Some file systems treat such names as equal, so that unpacking there overwrites all but the last. */
export function refuseAlike(name: string, spellings: Map<string, string>): void {
  const parts = name.split('/');
  for (let length = parts.length; length > 0; length -= 1) {
    const path = parts.slice(0, length).join('/');
    const folded = foldName(path);
    const other = spellings.get(folded);
    // If a path is known, so are its parents.
    if (other === path) return;
    if (other !== undefined)
      throw new TarError(`the entries ${quote(other)} and ${quote(path)} differ only in case or Unicode form`);
    spellings.set(folded, path);
  }
}

/**
 * The form in which file systems that ignore case and composition (NTFS, APFS) compare names. Upper case first, because only
 * that makes `ß` and `SS`, `ſ` and `S` equal.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
