import type { FleetDocument } from '../documents/index.ts';
import type { Path } from '../model/index.ts';
import { findNearPath, findPaths, trimPath } from './find-paths.ts';
import type { FleetContext } from './fleet.ts';
import type { Level } from './merge-settings.ts';
import { findSyntaxProblem, placeholdersIn } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';
import { compileNamePattern, isPattern } from './target-names.ts';

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
}

export const mostTargets = 100_000;

/** All targets in the order of the file: those of the matrix, of directories, and listed ones. */
export async function expandTargets(spec: Spec, context: FleetContext): Promise<readonly Candidate[]> {
  const expansion = { ...context, spec };
  const lists: (readonly Candidate[])[] = [];
  for (const [index, entry] of spec.matrix.entries()) {
    lists.push(expandMatrix(entry, ['spec', 'matrix', index], expansion));
  }
  for (const [index, entry] of spec.directories.entries()) {
    lists.push(await expandDirectories(entry, ['spec', 'directories', index], context));
  }
  for (const [index, settings] of spec.targets.entries()) {
    lists.push(readTarget({ path: ['spec', 'targets', index], settings }, expansion));
  }
  return lists.flat();
}

function expandMatrix(entry: MatrixEntry, path: Path, expansion: Expansion): readonly Candidate[] {
  const { spec, report } = expansion;
  const select = (noun: Noun): readonly string[] => {
    const chosen = entry[noun]?.flatMap((text, at) =>
      selectNames(text, { noun, path: [...path, noun, at] }, expansion),
    );
    return chosen === undefined ? Object.keys(spec[noun]) : [...new Set(chosen)];
  };
  const [applications, clusters] = [select('applications'), select('clusters')];
  if (applications.length * clusters.length > mostTargets) {
    report('fleet-too-large', { limit: mostTargets, noun: 'targets' }, path);
    return [];
  }
  const level = { path, settings: entry };
  const name = nameIn(level);
  const pairs = new Map<string, Candidate>();
  const excluded = new Set<string>();
  for (const [index, pair] of entry.exclude.entries()) {
    const { application = '*', cluster = '*' } = pair;
    const place = [...path, 'exclude', index];
    const has = (noun: Noun, key: string, text: string): boolean =>
      isPattern(text) || isDefined(text, { noun, path: [...place, key] }, expansion);
    const hasApplication = has('applications', 'application', application);
    const hasCluster = has('clusters', 'cluster', cluster);
    // A misspelled name must not build a target that should be left out.
    if (!hasApplication || !hasCluster) continue;
    const ofApplications = applications.filter(compileNamePattern(application));
    const ofClusters = clusters.filter(compileNamePattern(cluster));
    for (const outer of ofClusters) for (const inner of ofApplications) excluded.add(pairKey(inner, outer));
    if (ofApplications.length > 0 && ofClusters.length > 0) continue;
    report('fleet-exclude-unmatched', { entry: describePair(pair) }, place);
  }
  for (const cluster of clusters) {
    for (const application of applications) {
      const key = pairKey(application, cluster);
      const placeholders = { app: application, cluster };
      if (!excluded.has(key)) pairs.set(key, { path, application, cluster, name, placeholders, entries: [level] });
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

function pairKey(application: string, cluster: string): string {
  return `${cluster}/${application}`;
}

type Noun = 'applications' | 'clusters';

interface NamePlace {
  readonly noun: Noun;
  readonly path: Path;
}

/** Whether the fleet file defines a name, which is reported otherwise. */
function isDefined(name: string, { noun, path }: NamePlace, { spec, report }: Expansion): boolean {
  if (Object.hasOwn(spec[noun], name)) return true;
  report('fleet-name-unknown', { noun, name, names: Object.keys(spec[noun]) }, path);
  return false;
}

function selectNames(text: string, place: NamePlace, expansion: Expansion): readonly string[] {
  if (!isPattern(text)) return isDefined(text, place, expansion) ? [text] : [];
  const { noun, path } = place;
  const names = Object.keys(expansion.spec[noun]);
  const chosen = names.filter(compileNamePattern(text));
  if (chosen.length === 0) expansion.report('fleet-pattern-unmatched', { noun, name: text, names }, path);
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
  { fileSystem, report }: FleetContext,
): Promise<readonly Candidate[]> {
  const pattern = entry.path;
  const place = [...path, 'path'];
  const syntax = findSyntaxProblem(pattern) ?? (pattern.includes('**') ? '"**" is not supported here' : undefined);
  if (syntax !== undefined) {
    report('fleet-placeholder-syntax', { text: pattern, reason: syntax }, place);
    return [];
  }
  const matches = await findPaths(pattern, { fileSystem, most: mostTargets });
  const excludes = entry.exclude.map((text) => compileNamePattern(trimPath(text)));
  for (const [at, isExcluded] of excludes.entries()) {
    if (matches.some((match) => isExcluded(match.path))) continue;
    report('fleet-exclude-unmatched', { entry: JSON.stringify(entry.exclude[at]) }, [...path, 'exclude', at]);
  }
  if (matches.length === 0) {
    report('fleet-directories-unmatched', { pattern, near: await findNearPath(pattern, fileSystem) }, place);
  }
  const names = [...new Set(placeholdersIn(pattern))].map((name) => `{${name}}`);
  const level = { path, settings: entry };
  return matches
    .filter((match) => !excludes.some((isExcluded) => isExcluded(match.path)))
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
