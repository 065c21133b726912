/** The short names that kubectl accepts. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['cj', 'cronjob'],
  ['cm', 'configmap'],
  ['crd', 'customresourcedefinition'],
  ['deploy', 'deployment'],
  ['ds', 'daemonset'],
  ['hpa', 'horizontalpodautoscaler'],
  ['ing', 'ingress'],
  ['netpol', 'networkpolicy'],
  ['ns', 'namespace'],
  ['pdb', 'poddisruptionbudget'],
  ['po', 'pod'],
  ['pv', 'persistentvolume'],
  ['pvc', 'persistentvolumeclaim'],
  ['rs', 'replicaset'],
  ['sa', 'serviceaccount'],
  ['sts', 'statefulset'],
  ['svc', 'service'],
]);

/** The kinds that a word may mean, in lower case and best first: the word itself, the kind it abbreviates, the kind it is the plural of. */
export function kindsNamed(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const meant = shortNames.get(lower);
  return [lower, ...(meant === undefined ? [] : [meant]), ...singulars(lower)];
}

function singulars(word: string): string[] {
  const found: string[] = [];
  if (word.endsWith('ies')) found.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) found.push(word.slice(0, -2));
  if (word.endsWith('s')) found.push(word.slice(0, -1));
  return found;
}

/** `Deployments`, `Ingresses`, `NetworkPolicies`. */
export function pluralOf(kind: string): string {
  // The only built-in kind that is already a plural.
  if (kind === 'Endpoints') return kind;
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:[sxz]|[cs]h)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}
