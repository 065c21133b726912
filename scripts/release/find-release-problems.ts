export interface ReleaseState {
  /** What `git status --porcelain` says. */
  readonly changes: string;
  /** The version of each package.json, by its path. */
  readonly versions: Readonly<Record<string, string>>;
  readonly changelog: string;
  /** The page with the figures of the benchmarks. */
  readonly benchmarks: string;
  /** Of a release that is made from a tag. */
  readonly tag?: string;
}

const changesShown = 5;

/** Why what lies here must not be published; none when it may. */
export function findReleaseProblems({
  changes,
  versions,
  changelog,
  benchmarks,
  tag,
}: ReleaseState): readonly string[] {
  return [
    ...findChanges(changes),
    ...findVersions(versions, changelog),
    ...findMeasured(versions, benchmarks),
    ...findTag(versions, tag),
  ];
}

function findMeasured(versions: Readonly<Record<string, string>>, benchmarks: string): readonly string[] {
  const [version] = Object.values(versions);
  const measured = /^\| kurel \| (\S+) \|$/m.exec(benchmarks)?.[1];
  if (measured === version) return [];
  return [`docs/benchmarks.md measures ${measured ?? 'no version'}, not ${version}: run npm run bench -- --docs`];
}

function findChanges(changes: string): readonly string[] {
  const lines = changes.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return [];
  const more = lines.length > changesShown ? [`and ${lines.length - changesShown} more`] : [];
  const shown = [...lines.slice(0, changesShown).map((line) => line.slice(3)), ...more];
  return [`there are changes that are not committed: ${shown.join(', ')}`];
}

function findTag(versions: Readonly<Record<string, string>>, tag: string | undefined): readonly string[] {
  const [version] = Object.values(versions);
  if (tag === undefined || tag === `v${version}`) return [];
  return [`the tag is ${tag}, and the version of the packages ${version}: the tag must be v${version}`];
}

function findVersions(versions: Readonly<Record<string, string>>, changelog: string): readonly string[] {
  const entries = Object.entries(versions);
  const different = new Set(Object.values(versions));
  if (different.size !== 1) {
    return [`versions differ: ${entries.map(([path, version]) => `${path} is ${version}`).join(', ')}`];
  }
  const [version] = different;
  const headings = Array.from(changelog.matchAll(/^## \[([^\]]+)\](?: - (.*))?$/gm), ([, name, date]) => ({
    name,
    date,
  }));
  const newest = headings.find(({ name }) => name !== 'Unreleased');
  const problems: string[] = [];
  if (/^## \[Unreleased\]\n+(?!## |\n|$)/m.test(changelog)) {
    problems.push(`CHANGELOG.md has changes under "Unreleased": put them under ${version}`);
  }
  if (newest?.name !== version) {
    problems.push(
      `the newest version in CHANGELOG.md is ${newest?.name ?? 'missing'}, and that of the packages ${version}`,
    );
  } else if (!/^\d{4}-\d{2}-\d{2}$/.test(newest?.date ?? '')) {
    problems.push(`CHANGELOG.md gives ${version} no date: write "## [${version}] - YYYY-MM-DD"`);
  }
  return problems;
}
