/** The short names that kubectl takes. */
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

/** What a kind in a patch means, in lower case: itself when an object has it, else what it is short for, or the plural of. */
export function kindAliases(kinds: { has(kind: string): boolean }): (kind: string) => string {
  return (kind) => {
    const lower = kind.toLowerCase();
    if (kinds.has(lower)) return lower;
    const meant = [shortNames.get(lower), ...singulars(lower)];
    return meant.find((one) => one !== undefined && kinds.has(one)) ?? lower;
  };
}

function singulars(word: string): string[] {
  const found: string[] = [];
  if (word.endsWith('ies')) found.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) found.push(word.slice(0, -2));
  if (word.endsWith('s')) found.push(word.slice(0, -1));
  return found;
}
