/** Joins two names with `-` and doubles hyphens inside them, so that different pairs never give the same name. */
export function joinNames(first: string, second: string): string {
  return [first, second].map((part) => part.replaceAll('-', '--')).join('-');
}
