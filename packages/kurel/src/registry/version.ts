/** A chart version: semantic versioning, with an optional leading `v` and optional minor and patch. */
export interface Version {
  readonly numbers: VersionNumbers;
  /** The identifiers of a pre-release; empty for a release. */
  readonly prerelease: readonly string[];
}

type VersionNumbers = readonly [major: bigint, minor: bigint, patch: bigint];

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
function compareNumbers(a: Version, b: Version, count: number): number {
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

/** A version matches if all comparisons of one alternative hold. */
type VersionRange = readonly (readonly Comparison[])[];

interface Comparison {
  readonly operator: Operator;
  readonly version: Version;
  /** How many of major, minor and patch are set: 1 for `1` and `1.x`, 0 for `*`. */
  readonly precision: number;
}

type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

const most = 64;
/** Other spellings of operators. */
const aliases: Readonly<Record<string, Operator>> = { '': '=', '=>': '>=', '=<': '<=', '~>': '~' };
const comparison = /\s*(=>|=<|>=|<=|!=|~>|[=<>~^])?\s*([^\s,<>=!~^]+)(?:\s*,(?=\s*\S)|\s+|$)/y;
const partial = /^v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?([-+].*)?$/;

interface Compared extends Pick<Comparison, 'precision'> {
  readonly bound: Version;
  /** Comparison of the version with the bound. */
  readonly order: number;
  /** The same for the first components of the version only. */
  readonly orderOf: (count: number) => number;
}

const rules: Readonly<Record<Operator, (compared: Compared) => boolean>> = {
  '=': ({ precision, order, orderOf }) => (precision === 3 ? order === 0 : order >= 0 && orderOf(precision) === 0),
  '!=': ({ precision, order, orderOf }) => (precision === 3 ? order !== 0 : orderOf(precision) !== 0),
  '>': ({ precision, order, orderOf }) => (precision === 3 || precision === 0 ? order > 0 : orderOf(precision) > 0),
  '<=': ({ precision, order, orderOf }) => (precision === 3 ? order <= 0 : orderOf(precision) <= 0),
  '<': ({ order }) => order < 0,
  '>=': ({ order }) => order >= 0,
  // In Helm and Flux, `~0.0.0` matches everything.
  '~': ({ bound, precision, order, orderOf }) =>
    order >= 0 &&
    (orderOf(Math.min(precision, 2)) === 0 || (precision === 3 && bound.numbers.every((number) => number === 0n))),
  '^': ({ bound, precision, order, orderOf }) => order >= 0 && orderOf(fixedByCaret(bound, precision)) === 0,
};

/**
 * Parses a Helm version range: `^1.2`, `~1.2`, `1.x`, `>=1 <2`, `1.2 - 1.4`, `^1 || ^3`; `undefined` if it is invalid. A
 * range matches pre-releases only if it contains one.
 */
export function parseRange(text: string): VersionRange | undefined {
  if (text.length > longest) return undefined;
  const alternatives = text.split('||').map(parseAlternative);
  return alternatives.every((alternative) => alternative !== undefined) ? alternatives : undefined;
}

export function isInRange(version: Version, range: VersionRange): boolean {
  return range.some((alternative) => {
    const takesPrereleases = alternative.some((comparison) => comparison.version.prerelease.length > 0);
    if (version.prerelease.length > 0 && !takesPrereleases) return false;
    return alternative.every((comparison) => holds(version, comparison));
  });
}

function parseAlternative(text: string): readonly Comparison[] | undefined {
  const plain = text.replaceAll(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2');
  const comparisons: Comparison[] = [];
  comparison.lastIndex = 0;
  for (let end = 0; plain.slice(end).trim() !== ''; end = comparison.lastIndex) {
    const match = comparison.exec(plain);
    const parsed = match === null ? undefined : parsePartial(match[2]!);
    if (parsed === undefined || comparisons.length === most) return undefined;
    const written = match![1] ?? '';
    comparisons.push({ operator: aliases[written] ?? (written as Operator), ...parsed });
  }
  return comparisons.length === 0 ? undefined : comparisons;
}

function parsePartial(text: string): Pick<Comparison, 'version' | 'precision'> | undefined {
  const match = partial.exec(text);
  if (match === null) return undefined;
  const parts = match.slice(1, 4);
  const open = parts.findIndex((part) => part === undefined || !/^\d/.test(part));
  const precision = open === -1 ? 3 : open;
  const numbers = parts.map((part, index) => (index < precision ? part : '0'));
  const version = parseVersion(`${numbers.join('.')}${match[4] ?? ''}`);
  return version === undefined ? undefined : { version, precision };
}

function holds(version: Version, { operator, version: bound, precision }: Comparison): boolean {
  const order = compareVersions(version, bound);
  return rules[operator]({ bound, precision, order, orderOf: (count) => compareNumbers(version, bound, count) });
}

/** All components up to the first one that is not zero, because a change of that one may be breaking. */
function fixedByCaret({ numbers }: Version, precision: number): number {
  const first = numbers.findIndex((number) => number > 0n);
  return Math.min(precision, first === -1 ? 3 : first + 1);
}
