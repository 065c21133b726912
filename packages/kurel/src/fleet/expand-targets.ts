import type { FleetDocument } from '../documents/index.ts';
import type { Path } from '../model/index.ts';
import { findNearPath, findPaths, trimPath } from './find-paths.ts';
import type { FleetContext } from './fleet.ts';
import type { Level } from './inherit-levels.ts';
import { findSyntaxProblem, placeholdersIn } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';
import { createNameIndex, isPattern } from './target-names.ts';
import type { NameIndex } from './target-names.ts';

/** A target before its settings are combined. */
export interface Candidate {
  readonly application?: string | undefined;
  readonly cluster?: string | undefined;
  readonly path: Path;
  /** The name as written, and where. */
  readonly name: { readonly text: string; readonly path: Path } | undefined;
  readonly placeholders: PlaceholderValues;
  /** The levels of its own, after those of its cluster and application. */
  readonly entries: readonly Level[];
  /** The package if no level sets one. */
  readonly usualPackage?: string | undefined;
}

type Spec = FleetDocument['spec'];
type MatrixEntry = Spec['matrix'][number];

interface Expansion extends FleetContext {
  readonly spec: Spec;
  readonly names: Readonly<Record<Noun, NameIndex>>;
}

export const mostTargets = 100_000;

/**
 * All targets in the order of the file: those of the matrix, of directories, and listed ones. Ends early when there are more than a fleet may
 * have.
 */
export async function expandTargets(spec: Spec, context: FleetContext): Promise<readonly Candidate[]> {
  const names = {
    applications: createNameIndex(Object.keys(spec.applications), context.steps),
    clusters: createNameIndex(Object.keys(spec.clusters), context.steps),
  };
  const expansion = { ...context, spec, names };
  const all: Candidate[] = [];
  const add = (candidates: readonly Candidate[], path: Path): void => {
    context.steps.take(candidates.length, path);
    for (const candidate of candidates) all.push(candidate);
  };
  const isFull = (): boolean => all.length > mostTargets;
  for (const [index, entry] of spec.matrix.entries()) {
    if (isFull()) break;
    const path = ['spec', 'matrix', index];
    add(expandMatrix(entry, path, expansion), path);
  }
  for (const [index, entry] of spec.directories.entries()) {
    if (isFull()) break;
    const path = ['spec', 'directories', index];
    add(await expandDirectories(entry, path, context), path);
  }
  for (const [index, settings] of spec.targets.entries()) {
    const path = ['spec', 'targets', index];
    add(readTarget({ path, settings }, expansion), path);
  }
  return all;
}

function expandMatrix(entry: MatrixEntry, path: Path, expansion: Expansion): readonly Candidate[] {
  const { names, report, steps } = expansion;
  const select = (noun: Noun): readonly string[] => {
    const texts = entry[noun];
    if (texts === undefined) return names[noun].all;
    const chosen = new Set<string>();
    for (const [at, text] of texts.entries()) {
      for (const selected of selectNames(text, { noun, path: [...path, noun, at] }, expansion)) chosen.add(selected);
    }
    return [...chosen];
  };
  const [applications, clusters] = [select('applications'), select('clusters')];
  if (applications.length * clusters.length > mostTargets) {
    report('fleet-too-large', { limit: mostTargets, noun: 'targets' }, path);
    return [];
  }
  const level = { path, settings: entry };
  const name = nameIn(level);
  steps.take(applications.length + clusters.length + applications.length * clusters.length, path);
  const pairs = new Map<string, Candidate>();
  const isExcluded = readExclusions(entry, path, { ...expansion, applications, clusters });
  for (const [row, cluster] of clusters.entries()) {
    for (const [column, application] of applications.entries()) {
      if (isExcluded(row, column)) continue;
      const placeholders = { app: application, cluster };
      const key = pairKey(application, cluster);
      pairs.set(key, { path, application, cluster, name, placeholders, entries: [level] });
    }
  }
  for (const [at, settings] of entry.include.entries()) {
    const place = [...path, 'include', at];
    for (const candidate of readTarget({ path: place, settings }, expansion, level)) {
      const { application, cluster } = candidate;
      const isPair = application !== undefined && cluster !== undefined;
      pairs.set(isPair ? pairKey(application, cluster) : place.join('/'), candidate);
    }
  }
  return [...pairs.values()];
}

interface Exclusions extends Expansion {
  readonly applications: readonly string[];
  readonly clusters: readonly string[];
}

/** Which pairs of a matrix are left out, by the position of their cluster and application. Each name is compared with each pattern once. */
function readExclusions(
  entry: MatrixEntry,
  path: Path,
  expansion: Exclusions,
): (row: number, column: number) => boolean {
  const { applications, clusters, report, steps } = expansion;
  const columns = createNameIndex(applications, steps);
  const rows = createNameIndex(clusters, steps);
  const excluded = new Uint8Array(applications.length * clusters.length);
  for (const [index, pair] of entry.exclude.entries()) {
    const { application = '*', cluster = '*' } = pair;
    const place = [...path, 'exclude', index];
    const has = (noun: Noun, key: string, text: string): boolean =>
      isPattern(text) || isDefined(text, { noun, path: [...place, key] }, expansion);
    const hasApplication = has('applications', 'application', application);
    const hasCluster = has('clusters', 'cluster', cluster);
    // A misspelled name must not build a target that should be left out.
    if (!hasApplication || !hasCluster) continue;
    const [ofApplications, ofClusters] = [columns.find(application, place), rows.find(cluster, place)];
    steps.take(ofClusters.length * ofApplications.length, place);
    for (const row of ofClusters) for (const column of ofApplications) excluded[row * applications.length + column] = 1;
    if (ofApplications.length > 0 && ofClusters.length > 0) continue;
    report('fleet-exclude-unmatched', { entry: describePair(pair) }, place);
  }
  return (row, column) => excluded[row * applications.length + column] === 1;
}

function pairKey(application: string, cluster: string): string {
  return `${cluster}/${application}`;
}

type Noun = 'applications' | 'clusters';

interface NamePlace {
  readonly noun: Noun;
  readonly path: Path;
}

/** Whether the fleet file defines a name, which is reported otherwise. */
function isDefined(name: string, { noun, path }: NamePlace, { spec, names, report }: Expansion): boolean {
  if (Object.hasOwn(spec[noun], name)) return true;
  report('fleet-name-unknown', { noun, name, names: names[noun].all }, path);
  return false;
}

function selectNames(text: string, place: NamePlace, expansion: Expansion): readonly string[] {
  if (!isPattern(text)) return isDefined(text, place, expansion) ? [text] : [];
  const { noun, path } = place;
  const { all, find } = expansion.names[noun];
  const chosen = find(text, path).map((index) => all[index]!);
  if (chosen.length === 0) expansion.report('fleet-pattern-unmatched', { noun, name: text, names: all }, path);
  return chosen;
}

function describePair({ application, cluster }: MatrixEntry['exclude'][number]): string {
  const words = [
    ...(application === undefined ? [] : [`application ${JSON.stringify(application)}`]),
    ...(cluster === undefined ? [] : [`cluster ${JSON.stringify(cluster)}`]),
  ];
  return words.join(' on ') || 'the entry';
}

interface NamedLevel extends Level {
  readonly settings: Spec['targets'][number];
}

/** The name that a level sets. */
function nameIn({ path, settings: { name } }: NamedLevel): Candidate['name'] {
  return name === undefined ? undefined : { text: name, path: [...path, 'name'] };
}

/** A listed target; empty if it refers to something that does not exist. `outer` is the matrix entry that it is included in. */
function readTarget(level: NamedLevel, expansion: Expansion, outer?: NamedLevel): readonly Candidate[] {
  const { path, settings } = level;
  const { application, cluster } = settings;
  const has = (noun: Noun, key: string, name: string | undefined): boolean =>
    name === undefined || isDefined(name, { noun, path: [...path, key] }, expansion);
  const hasApplication = has('applications', 'application', application);
  const hasCluster = has('clusters', 'cluster', cluster);
  if (!hasApplication || !hasCluster) return [];
  return [
    {
      path,
      application,
      cluster,
      name: nameIn(level) ?? (outer && nameIn(outer)),
      placeholders: {
        ...(application === undefined ? {} : { app: application }),
        ...(cluster === undefined ? {} : { cluster }),
      },
      entries: [...(outer === undefined ? [] : [outer]), level],
    },
  ];
}

async function expandDirectories(
  entry: Spec['directories'][number],
  path: Path,
  { fileSystem, report, steps }: FleetContext,
): Promise<readonly Candidate[]> {
  const pattern = entry.path;
  const place = [...path, 'path'];
  const syntax = findSyntaxProblem(pattern) ?? (pattern.includes('**') ? '"**" is not supported here' : undefined);
  if (syntax !== undefined) {
    report('fleet-placeholder-syntax', { text: pattern, reason: syntax }, place);
    return [];
  }
  const onEntries = (count: number): void => {
    steps.takeLookUp(place);
    steps.take(count, place);
  };
  const matches = await findPaths(pattern, { fileSystem, most: mostTargets, onEntries });
  const excluded = new Set<number>();
  const matched = createNameIndex(
    matches.map((match) => match.path),
    steps,
  );
  for (const [at, text] of entry.exclude.entries()) {
    const placeOfText = [...path, 'exclude', at];
    const selection = matched.find(trimPath(text), placeOfText);
    for (const index of selection) excluded.add(index);
    if (selection.length === 0) report('fleet-exclude-unmatched', { entry: JSON.stringify(text) }, placeOfText);
  }
  if (matches.length === 0) {
    report('fleet-directories-unmatched', { pattern, near: await findNearPath(pattern, fileSystem) }, place);
  }
  const names = [...new Set(placeholdersIn(pattern))].map((name) => `{${name}}`);
  const level = { path, settings: entry };
  return matches
    .filter((_, index) => !excluded.has(index))
    .map(({ path: matched, placeholders }) => ({
      path,
      application: placeholders['app'],
      cluster: placeholders['cluster'],
      name: nameIn(level) ?? { text: names.join('/') || '{path}', path: place },
      placeholders: { ...placeholders, path: matched },
      entries: [level],
      usualPackage: matched,
    }));
}
