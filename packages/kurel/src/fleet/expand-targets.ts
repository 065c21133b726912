import type { FleetDocument } from '../forms/index.ts';
import type { FileSystem, Path, Report } from '../model/index.ts';
import { findPaths } from './find-directories.ts';
import type { Level, TargetNames } from './inherit.ts';
import { findNearPath } from './near-path.ts';
import { compileNamePattern, isPattern } from './name-pattern.ts';
import { findSyntaxProblem, placeholdersIn } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';
import { fleetProblems } from './problems.ts';
import type { LocateEntry } from './report-once.ts';

/** A target before its settings are combined. */
export interface Candidate extends TargetNames {
  /** The entry that it comes from. */
  readonly path: Path;
  /** The name as written, and where. */
  readonly name: { readonly text: string; readonly path: Path } | undefined;
  readonly placeholders: PlaceholderValues;
  /** The levels of its own, after those of its cluster and application. */
  readonly entries: readonly Level[];
  /** The package if no level sets one. */
  readonly usualPackage?: string | undefined;
}

export interface Expansion {
  readonly fileSystem: FileSystem;
  readonly report: Report;
  readonly locate: LocateEntry;
  /** Called for each directory whose entries decide what the targets are. */
  readonly onList: (path: string) => void;
}

export const mostTargets = 100_000;

type Spec = FleetDocument['spec'];
type MatrixEntry = Spec['matrix'][number];
type TargetEntry = Spec['targets'][number];

/** All targets in the order of the file: those of the matrix, of directories, and listed ones. */
export async function expandTargets(spec: Spec, expansion: Expansion): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  const add = (list: readonly Candidate[]): void => {
    for (const candidate of list) candidates.push(candidate);
  };
  for (const [index, entry] of spec.matrix.entries()) add(expandMatrix(spec, entry, index, expansion));
  for (const [index, entry] of spec.directories.entries()) add(await expandDirectories(entry, index, expansion));
  for (const [index, entry] of spec.targets.entries()) {
    add(readTarget(spec, entry, { path: ['spec', 'targets', index], expansion }));
  }
  return candidates;
}

function expandMatrix(spec: Spec, entry: MatrixEntry, index: number, expansion: Expansion): readonly Candidate[] {
  const path = ['spec', 'matrix', index];
  const select = (noun: 'applications' | 'clusters'): readonly string[] => {
    const known = Object.keys(spec[noun]);
    if (entry[noun] === undefined) return known;
    const chosen = entry[noun].flatMap((text, at) =>
      selectNames(text, { noun, known, path: [...path, noun, at], expansion }),
    );
    return [...new Set(chosen)];
  };
  const [applications, clusters] = [select('applications'), select('clusters')];
  if (applications.length * clusters.length > mostTargets) {
    const place = { location: expansion.locate(path) };
    expansion.report(fleetProblems.create('fleet-too-large', { limit: mostTargets, noun: 'targets' }, place));
    return [];
  }
  const level: Level = { path, settings: entry };
  const pairs = new Map<string, Candidate>();
  const isExcluded = compileExcludes(entry, { spec, path, applications, clusters, expansion });
  for (const cluster of clusters) {
    for (const application of applications) {
      if (isExcluded(application, cluster)) continue;
      pairs.set(pairKey(application, cluster), pairCandidate({ application, cluster, path, entry, entries: [level] }));
    }
  }
  for (const [at, included] of entry.include.entries()) {
    const place = [...path, 'include', at];
    for (const candidate of readTarget(spec, included, { path: place, expansion, inherits: level })) {
      const { application, cluster } = candidate;
      const isPair = application !== undefined && cluster !== undefined;
      pairs.set(isPair ? pairKey(application, cluster) : place.join('/'), candidate);
    }
  }
  return [...pairs.values()];
}

function pairKey(application: string, cluster: string): string {
  return `${cluster}/${application}`;
}

interface Pair {
  readonly application: string;
  readonly cluster: string;
  readonly path: Path;
  readonly entry: { readonly name?: string | undefined };
  readonly entries: readonly Level[];
}

function pairCandidate({ application, cluster, path, entry, entries }: Pair): Candidate {
  const name = entry.name === undefined ? undefined : { text: entry.name, path: [...path, 'name'] };
  return { path, application, cluster, name, placeholders: { app: application, cluster }, entries };
}

interface Selection {
  readonly noun: 'applications' | 'clusters';
  readonly known: readonly string[];
  readonly path: Path;
  readonly expansion: Expansion;
}

function selectNames(text: string, { noun, known, path, expansion }: Selection): readonly string[] {
  const { report, locate } = expansion;
  if (!isPattern(text)) {
    if (known.includes(text)) return [text];
    report(fleetProblems.create('fleet-name-unknown', { noun, name: text, known }, { location: locate(path) }));
    return [];
  }
  const chosen = known.filter(compileNamePattern(text));
  if (chosen.length === 0) {
    report(fleetProblems.create('fleet-pattern-unmatched', { noun, name: text, known }, { location: locate(path) }));
  }
  return chosen;
}

interface Excluding {
  readonly spec: Spec;
  readonly path: Path;
  readonly applications: readonly string[];
  readonly clusters: readonly string[];
  readonly expansion: Expansion;
}

function compileExcludes(
  { exclude }: MatrixEntry,
  { spec, path, applications, clusters, expansion }: Excluding,
): (application: string, cluster: string) => boolean {
  const excluded = new Set<string>();
  const isDefined = (noun: 'applications' | 'clusters', name: string, place: Path): boolean =>
    isPattern(name) || selectNames(name, { noun, known: Object.keys(spec[noun]), path: place, expansion }).length > 0;
  for (const [index, { application = '*', cluster = '*' }] of exclude.entries()) {
    const hasApplication = isDefined('applications', application, [...path, 'exclude', index, 'application']);
    const hasCluster = isDefined('clusters', cluster, [...path, 'exclude', index, 'cluster']);
    // A misspelled name must not build a target that should be left out.
    if (!hasApplication || !hasCluster) continue;
    const ofApplications = applications.filter(compileNamePattern(application));
    const ofClusters = clusters.filter(compileNamePattern(cluster));
    for (const one of ofClusters) for (const app of ofApplications) excluded.add(pairKey(app, one));
    if (ofApplications.length > 0 && ofClusters.length > 0) continue;
    const entry = describePair(exclude[index]!);
    const place = { location: expansion.locate([...path, 'exclude', index]) };
    expansion.report(fleetProblems.create('fleet-exclude-unmatched', { entry }, place));
  }
  return (application, cluster) => excluded.has(pairKey(application, cluster));
}

function describePair({ application, cluster }: MatrixEntry['exclude'][number]): string {
  const words = [
    ...(application === undefined ? [] : [`application ${JSON.stringify(application)}`]),
    ...(cluster === undefined ? [] : [`cluster ${JSON.stringify(cluster)}`]),
  ];
  return words.join(' on ') || 'the entry';
}

interface TargetPlace {
  readonly path: Path;
  readonly expansion: Expansion;
  /** The matrix entry that it is included in. */
  readonly inherits?: Level;
}

/** A listed target; empty if it refers to something that does not exist. */
function readTarget(spec: Spec, entry: TargetEntry, { path, expansion, inherits }: TargetPlace): readonly Candidate[] {
  const { application, cluster } = entry;
  const isKnown = (noun: 'applications' | 'clusters', name: string | undefined, key: string): boolean => {
    if (name === undefined || Object.hasOwn(spec[noun], name)) return true;
    const args = { noun, name, known: Object.keys(spec[noun]) };
    const place = { location: expansion.locate([...path, key]) };
    expansion.report(fleetProblems.create('fleet-name-unknown', args, place));
    return false;
  };
  const hasApplication = isKnown('applications', application, 'application');
  const hasCluster = isKnown('clusters', cluster, 'cluster');
  if (!hasApplication || !hasCluster) return [];
  const inherited = inherits?.settings as MatrixEntry | undefined;
  const named = entry.name ?? inherited?.name;
  const namePath = entry.name === undefined ? inherits?.path : path;
  return [
    {
      path,
      application,
      cluster,
      name: named === undefined ? undefined : { text: named, path: [...(namePath ?? path), 'name'] },
      placeholders: {
        ...(application === undefined ? {} : { app: application }),
        ...(cluster === undefined ? {} : { cluster }),
      },
      entries: [...(inherits === undefined ? [] : [inherits]), { path, settings: entry }],
    },
  ];
}

async function expandDirectories(
  entry: Spec['directories'][number],
  index: number,
  { fileSystem, report, locate, onList }: Expansion,
): Promise<readonly Candidate[]> {
  const path = ['spec', 'directories', index];
  const pattern = entry.path;
  const syntax = findSyntaxProblem(pattern) ?? (pattern.includes('**') ? '"**" is not supported here' : undefined);
  if (syntax !== undefined) {
    const place = { location: locate([...path, 'path']) };
    report(fleetProblems.create('fleet-placeholder-syntax', { text: pattern, reason: syntax }, place));
    return [];
  }
  const found = await findPaths(pattern, { fileSystem, onList, most: mostTargets });
  const excludes = entry.exclude.map((text, at) => ({ text, at, matches: compileNamePattern(trimPath(text)) }));
  for (const { text, at, matches } of excludes) {
    if (found.some((one) => matches(one.path))) continue;
    const place = { location: locate([...path, 'exclude', at]) };
    report(fleetProblems.create('fleet-exclude-unmatched', { entry: JSON.stringify(text) }, place));
  }
  const kept = found.filter((one) => !excludes.some(({ matches }) => matches(one.path)));
  if (found.length === 0) {
    const place = { location: locate([...path, 'path']) };
    report(
      fleetProblems.create(
        'fleet-directories-unmatched',
        { pattern, near: await findNearPath(pattern, fileSystem) },
        place,
      ),
    );
  }
  const names = [...new Set(placeholdersIn(pattern))];
  const level: Level = { path, settings: entry };
  return kept.map(({ path: matched, placeholders }) => ({
    path,
    application: placeholders['app'],
    cluster: placeholders['cluster'],
    name:
      entry.name === undefined
        ? { text: names.length === 0 ? matched : names.map((name) => `{${name}}`).join('/'), path: [...path, 'path'] }
        : { text: entry.name, path: [...path, 'name'] },
    placeholders: { ...placeholders, path: matched },
    entries: [level],
    usualPackage: matched,
  }));
}

function trimPath(text: string): string {
  return text.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}
