/** `Ingress` → `Ingresses`: a kind as people speak of several. */
export function pluralOf(kind: string): string {
  if (kind.endsWith('Endpoints')) return kind;
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}
