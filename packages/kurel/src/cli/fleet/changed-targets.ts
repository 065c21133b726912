import { isAbsolute, posix, relative, resolve } from 'node:path';

import { getOrAdd } from '../../budget/index.ts';
import { messageIn, sentence, withTexts } from '../../diagnostics/index.ts';
import { trimPath } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { realPathOf, toSlashes } from '../../host/index.ts';
import type { GitRepository } from '../../host/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { FileSystem } from '../../model/index.ts';
import type { Environment } from '../environment.ts';
import { moveFindings } from '../sourced-findings.ts';
import { openRepositoryOf } from '../open-repository.ts';
import { openDisk } from '../open-world.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { UsageError } from '../usage-error.ts';
import { readFrom } from './open-fleet.ts';
import type { OpenedFleet } from './open-fleet.ts';
import { settingsOfTarget, writeBigInt } from './target-command.ts';

/** The fleet as it was at a revision, and what has changed since then. */
export interface FleetSince {
  readonly revision: string;
  /** Absent if there was no fleet file, or one with errors. */
  readonly fleet: Fleet | undefined;
  /** The errors of the fleet file at the revision. */
  readonly findings: SourcedFindings;
  /** The files of the revision, relative to the directory of the fleet file. */
  readonly files: FileSystem;
  /** Whether a target can have another result than at the revision. */
  isAffected(target: FleetTarget): boolean;
  close(): void;
}

/** Opens a revision of the repository that the fleet file is in. Throws a `DiagnosticError` if it cannot be read. */
export async function openSince(revision: string, opened: OpenedFleet): Promise<FleetSince> {
  const repository = openRepositoryOf(opened.environment);
  try {
    return await open(revision, repository, opened);
  } catch (error) {
    repository.close();
    throw error;
  }
}

async function open(revision: string, repository: GitRepository, opened: OpenedFleet): Promise<FleetSince> {
  const { environment } = opened;
  const { fileSystem, place } = await repository.openRevision(revision);
  const nameHere = createNameHere(environment);
  const files = below(fileSystem, { place, nameHere });
  const paths = (await repository.listChanges(revision)).map((path) => posix.relative(place, path));
  const { fleet, ...findings } = await readEarlier(opened, { revision, files });
  const earlier = new Map((fleet?.targets ?? []).map((target) => [target.name, keyOf(target)]));
  const now = opened.fleet!;
  const outputs = new Set(now.targets.map(({ settings }) => trimPath(settings.output)));
  const isOutput = (path: string): boolean => ancestorsOf(path).some((directory) => outputs.has(directory));
  const changed = new Set(paths.flatMap(ancestorsOf));
  const listed = new Set(paths);
  const changesInput = paths.some((path) => !isOutput(path));
  const kustomizations = await findKustomizations(now, environment);
  const isLinked = createIsLinked(environment);
  return {
    revision,
    fleet,
    findings,
    files,
    isAffected(target) {
      if (earlier.get(target.name) !== keyOf(target)) return true;
      const roots = rootsOf(target).map(nameHere);
      if (roots.some((root) => changed.has(root))) return true;
      // Of a submodule, git lists only its own path.
      if (roots.some((root) => ancestorsOf(root).some((directory) => listed.has(directory)))) return true;
      // A kustomization and a link can refer to files anywhere in the repository.
      return changesInput && (kustomizations.has(target.settings.package) || roots.some(isLinked));
    },
    close: () => repository.close(),
  };
}

/** All targets are new if there was no fleet file. */
async function readEarlier(
  { file, environment }: OpenedFleet,
  { revision, files }: { readonly revision: string; readonly files: FileSystem },
): Promise<SourcedFindings & Pick<FleetSince, 'fleet'>> {
  try {
    const { fleet, ...findings } = await readFrom({ file, fileSystem: files, environment });
    return fleet === undefined ? { fleet, ...atRevision(findings, revision) } : { fleet, diagnostics: [], sources: [] };
  } catch (error) {
    if (error instanceof UsageError) return { fleet: undefined, diagnostics: [], sources: [] };
    throw error;
  }
}

/** Findings about a revision must not pass for findings about the working tree. */
export function atRevision({ diagnostics, sources }: SourcedFindings, revision: string): SourcedFindings {
  const name = (file: string): string => `${revision}:${file}`;
  const moved = moveFindings(diagnostics, (location) => ({ ...location, file: name(location.file) }));
  return {
    sources: sources.map((source) => Object.assign({}, source, { path: name(source.path) })),
    diagnostics: moved.map((finding) =>
      withTexts(finding, { message: sentence`at ${revision}: ${messageIn(finding)}` }),
    ),
  };
}

function keyOf(target: FleetTarget): string {
  const { set, accept, artifact } = target.settings;
  const accepted = accept.map(({ code, object }) => [code, object]);
  return JSON.stringify(
    [target.settings.package, settingsOfTarget(target), artifact, set.map(({ data }) => data), accepted],
    writeBigInt,
  );
}

/** Everything that a target reads, apart from kustomizations. */
function rootsOf({ settings, registered }: FleetTarget): readonly string[] {
  const { package: input, profile, policy, values, patches, crds, output } = settings;
  const local = `${trimPath(input).replace(/\.kurel$/, '')}.local.kurel`;
  const own = /\.(?:ya?ml|json)$/.test(input) ? posix.dirname(input) : input;
  const inputs = registered === undefined ? [own, local] : [];
  const named = [...inputs, profile, policy, ...values, ...patches, ...crds, output];
  return named.flatMap((path) => (path === undefined ? [] : [posix.normalize(trimPath(fixedPart(path)))]));
}

/** The directory before the first wildcard of a pattern. */
export function fixedPart(path: string): string {
  const special = path.search(/[*?[{]/);
  return special === -1 ? path : posix.dirname(`${path.slice(0, special)}x`);
}

async function findKustomizations({ targets }: Fleet, environment: Environment): Promise<ReadonlySet<string>> {
  const disk = openDisk(environment);
  const kustomizations = new Set<string>();
  const onDisk = targets.filter(({ registered }) => registered === undefined);
  for (const input of new Set(onDisk.map(({ settings }) => settings.package))) {
    const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
    if (names.includes(posix.basename(input))) kustomizations.add(input);
    for (const name of names) {
      if ((await disk.kindOf(`${trimPath(input)}/${name}`)) !== undefined) kustomizations.add(input);
    }
  }
  return kustomizations;
}

/** An absolute path as others are written: from the directory of the fleet file. */
function createNameHere({ workingDirectory }: Environment): (path: string) => string {
  const top = realPathOf(workingDirectory);
  return (path) => (isAbsolute(path) ? toSlashes(relative(top, realPathOf(path))) || '.' : path);
}

/** Whether a path leads through links. Many targets share paths. */
function createIsLinked({ workingDirectory }: Environment): (path: string) => boolean {
  const answers = new Map<string, boolean>();
  const top = realPathOf(workingDirectory);
  return (path) => getOrAdd(answers, path, () => realPathOf(resolve(top, path)) !== resolve(top, path));
}

/** A path and all directories that it is in. */
export function ancestorsOf(path: string): readonly string[] {
  const parent = posix.dirname(path);
  return parent === path ? [path] : [path, ...ancestorsOf(parent)];
}

/** The files of a revision as seen from a directory of the repository. */
function below(
  files: FileSystem,
  { place, nameHere }: { readonly place: string; readonly nameHere: (path: string) => string },
): FileSystem {
  const at = (path: string): string => posix.normalize(posix.join(place, nameHere(path)));
  const attempt = async <Result>(
    path: string,
    work: (path: string) => PromiseLike<Result> | Result,
  ): Promise<Result> => {
    const full = at(path);
    if (full.startsWith('..')) throw new FileAccessError(path, 'not-found');
    try {
      return await work(full);
    } catch (error) {
      if (!(error instanceof FileAccessError)) throw error;
      throw new FileAccessError(path, error.reason, { detail: error.detail, cause: error });
    }
  };
  return {
    readText: (path) => attempt(path, (full) => files.readText(full)),
    readBytes: (path) => attempt(path, (full) => files.readBytes!(full)),
    list: (path) => attempt(path, (full) => files.list(full)),
    kindOf: (path) => attempt(path, (full) => files.kindOf(full)),
  };
}
