const pattern = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const stabilities = ['alpha', 'beta', undefined];

/** Orders versions of an API as Kubernetes does, newest first: v2, v1, v1beta2, v1alpha1, then other names by code unit. */
export function compareApiVersions(a: string, b: string): number {
  const [first, second] = [pattern.exec(a), pattern.exec(b)];
  if (first === null || second === null) {
    if (first !== null || second !== null) return first === null ? 1 : -1;
    return a === b ? 0 : a < b ? -1 : 1;
  }
  return (
    stabilities.indexOf(second[2]) - stabilities.indexOf(first[2]) ||
    Number(second[1]) - Number(first[1]) ||
    Number(second[3] ?? 0) - Number(first[3] ?? 0)
  );
}
