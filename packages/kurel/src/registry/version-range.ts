import { compareNumbers, compareVersions, parseVersion, type Version } from './version.ts';

/** A version matches if all comparisons of one alternative hold. */
export type VersionRange = readonly (readonly Comparison[])[];

interface Comparison {
  readonly operator: Operator;
  readonly version: Version;
  /** How many of major, minor and patch are set: 1 for `1` and `1.x`, 0 for `*`. */
  readonly given: number;
}

type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

const longest = 256;
const most = 64;
const operators: ReadonlyMap<string, Operator> = new Map([
  ['', '='],
  ['=', '='],
  ['!=', '!='],
  ['>', '>'],
  ['<', '<'],
  ['>=', '>='],
  ['=>', '>='],
  ['<=', '<='],
  ['=<', '<='],
  ['~', '~'],
  ['~>', '~'],
  ['^', '^'],
]);
const comparison = /\s*(=>|=<|>=|<=|!=|~>|[=<>~^])?\s*([^\s,<>=!~^]+)(?:\s*,(?=\s*\S)|\s+|$)/y;
const partial = /^v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?([-+].*)?$/;

interface Compared extends Pick<Comparison, 'given'> {
  readonly bound: Version;
  /** Comparison of the version with the bound. */
  readonly order: number;
  /** The same for the first components of the version only. */
  readonly orderOf: (count: number) => number;
}

const rules: Readonly<Record<Operator, (compared: Compared) => boolean>> = {
  '=': ({ given, order, orderOf }) => (given === 3 ? order === 0 : order >= 0 && orderOf(given) === 0),
  '!=': ({ given, order, orderOf }) => (given === 3 ? order !== 0 : orderOf(given) !== 0),
  '>': ({ given, order, orderOf }) => (given === 3 || given === 0 ? order > 0 : orderOf(given) > 0),
  '<=': ({ given, order, orderOf }) => (given === 3 ? order <= 0 : orderOf(given) <= 0),
  '<': ({ order }) => order < 0,
  '>=': ({ order }) => order >= 0,
  // In Helm and Flux, `~0.0.0` matches everything.
  '~': ({ bound, given, order, orderOf }) =>
    order >= 0 && (orderOf(Math.min(given, 2)) === 0 || (given === 3 && bound.numbers.every((one) => one === 0n))),
  '^': ({ bound, given, order, orderOf }) => order >= 0 && orderOf(fixedByCaret(bound, given)) === 0,
};

/**
 * Parses a Helm version range: `^1.2`, `~1.2`, `1.x`, `>=1 <2`, `1.2 - 1.4`, `^1 || ^3`; `undefined` if it is invalid. A
 * range matches pre-releases only if it contains one.
 */
export function parseRange(text: string): VersionRange | undefined {
  if (text.length > longest) return undefined;
  const alternatives = text.split('||').map(parseAlternative);
  return alternatives.every((one) => one !== undefined) ? alternatives : undefined;
}

export function isInRange(version: Version, range: VersionRange): boolean {
  return range.some((alternative) => {
    const takesPrereleases = alternative.some((one) => one.version.prerelease.length > 0);
    if (version.prerelease.length > 0 && !takesPrereleases) return false;
    return alternative.every((one) => holds(version, one));
  });
}

function parseAlternative(text: string): readonly Comparison[] | undefined {
  const plain = text.replaceAll(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2');
  const found: Comparison[] = [];
  comparison.lastIndex = 0;
  for (let end = 0; plain.slice(end).trim() !== ''; end = comparison.lastIndex) {
    const match = comparison.exec(plain);
    const parsed = match === null ? undefined : parsePartial(match[2]!);
    if (parsed === undefined || found.length === most) return undefined;
    found.push({ operator: operators.get(match![1] ?? '')!, ...parsed });
  }
  return found.length === 0 ? undefined : found;
}

function parsePartial(text: string): Pick<Comparison, 'version' | 'given'> | undefined {
  const match = partial.exec(text);
  if (match === null) return undefined;
  const parts = match.slice(1, 4);
  const open = parts.findIndex((part) => part === undefined || !/^\d/.test(part));
  const given = open === -1 ? 3 : open;
  const numbers = parts.map((part, index) => (index < given ? part : '0'));
  const version = parseVersion(`${numbers.join('.')}${match[4] ?? ''}`);
  return version === undefined ? undefined : { version, given };
}

function holds(version: Version, { operator, version: bound, given }: Comparison): boolean {
  const order = compareVersions(version, bound);
  return rules[operator]({ bound, given, order, orderOf: (count) => compareNumbers(version, bound, count) });
}

/** All components up to the first one that is not zero, because a change of that one may be breaking. */
function fixedByCaret({ numbers }: Version, given: number): number {
  const first = numbers.findIndex((number) => number > 0n);
  return Math.min(given, first === -1 ? 3 : first + 1);
}
