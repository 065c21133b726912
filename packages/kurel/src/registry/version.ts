/** A chart version: semantic versioning, with an optional leading `v` and optional minor and patch. */
export interface Version {
  readonly numbers: VersionNumbers;
  /** The identifiers of a pre-release; empty for a release. */
  readonly prerelease: readonly string[];
}

export type VersionNumbers = readonly [major: bigint, minor: bigint, patch: bigint];

const longest = 256;
const pattern =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

export function parseVersion(text: string): Version | undefined {
  const match = text.length > longest ? null : pattern.exec(text);
  if (match === null) return undefined;
  const [, major = '0', minor = '0', patch = '0', suffix] = match;
  const prerelease = suffix === undefined ? [] : suffix.split('.');
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], prerelease };
}

/** Compares by precedence: negative if the first is older. Ignores build metadata. */
export function compareVersions(a: Version, b: Version): number {
  return compareNumbers(a, b, 3) || comparePrereleases(a.prerelease, b.prerelease);
}

/** Compares only the first of major, minor and patch. */
export function compareNumbers(a: Version, b: Version, count: number): number {
  for (let i = 0; i < count; i++) {
    const order = compare(a.numbers[i]!, b.numbers[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function compareParts(a: string, b: string): number {
  const [isNumber, isOther] = [a, b].map((part) => /^\d+$/.test(part));
  if (isNumber === true && isOther === true) return compare(BigInt(a), BigInt(b));
  if (isNumber !== isOther) return isNumber === true ? -1 : 1;
  return compare(a, b);
}

function compare<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
