/** One name of two. Parts are joined by a single `-`, and each doubles its own: no two pairs give the same name. */
export function joinNames(first: string, second: string): string {
  return [first, second].map((part) => part.replaceAll('-', '--')).join('-');
}
