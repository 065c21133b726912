/** `Deployments`, `Ingresses`, `NetworkPolicies`. */
export function pluralOf(kind: string): string {
  // The one built-in kind that is a plural already.
  if (kind === 'Endpoints') return kind;
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:[sxz]|[cs]h)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}
