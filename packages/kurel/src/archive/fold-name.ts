/**
 * The form in which file systems that ignore case and composition (NTFS, APFS) compare names. Upper case first, because only
 * that makes `ß` and `SS`, `ſ` and `S` equal.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
