import { getOrAdd } from '../../budget/index.ts';
import { countNoun } from '../../diagnostics/index.ts';
import { digestOfPackage, reportUnlocked } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { updateFiles } from '../../host/index.ts';
import type { FileUpdateSummary } from '../../host/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { ifReadable } from '../../reads/index.ts';
import type { CommandResult } from '../command.ts';
import { formatUpdate } from '../commands/vendor.ts';
import { describeRefusal } from '../describe-failure.ts';
import type { Environment } from '../environment.ts';
import { openDisk } from '../open-world.ts';
import { isVendoredName, vendorDirectory, vendoredPaths } from '../packages/package-store.ts';
import type { BuildSettings } from '../../settings/index.ts';
import type { VendoredPart } from '../packages/package-store.ts';
import { cliProblems } from '../problems.ts';
import { fetchAtOnce, openFleetPackages } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';
import { openFleet } from './open-fleet.ts';
import type { OpenedFleet } from './open-fleet.ts';
import { reportFleet } from './print-run.ts';

interface FleetVendoring {
  /** Write and fetch nothing, only compare. */
  readonly isCheck: boolean;
  readonly settings: Partial<BuildSettings>;
}

/** Writes the packages of a fleet file into `vendor/packages` beside it, and removes those that it does not use any more. */
export async function vendorFleet(
  path: string,
  vendoring: FleetVendoring,
  environment: Environment,
): Promise<CommandResult> {
  const opened = await openFleet(path, environment);
  const { fleet } = opened;
  const report = (diagnostics: readonly Diagnostic[]): CommandResult =>
    reportFleet({ diagnostics, sources: [] }, { opened, environment });
  const unlocked = fleet === undefined ? [] : reportUnlocked(fleet, { withTags: true });
  if (fleet === undefined || unlocked.length > 0) return report(unlocked);
  const targets = listPinned(fleet);
  const packages = await readPackages(targets, opened, vendoring);
  const refusals = packages.flatMap(({ diagnostics }) => diagnostics);
  if (refusals.length > 0) return report(refusals);
  const directory = opened.environment.workingDirectory;
  const summary = updateFiles(directory, {
    wanted: [...new Map(packages.flatMap(({ files }) => files.map((file) => [file.path, file]))).values()],
    unwanted: await listLeftOver(targets, opened.environment),
    index: undefined,
    isDry: vendoring.isCheck,
  });
  const stale = vendoring.isCheck
    ? summary.removed.filter(isContent).map((file) => describeStale(file, 'left over'))
    : [];
  const stdout = stale.length === 0 ? describe(summary, targets) : undefined;
  return { ...report([...summary.diagnostics, ...stale]), stdout };
}

/** A target for each package and profile, which may require signatures of its own; all packages have a digest. */
function listPinned({ targets }: Fleet): readonly FleetTarget[] {
  const byPackage = new Map<string, FleetTarget>();
  for (const target of targets) {
    const { package: input, profile } = target.settings;
    if (target.registered !== undefined) getOrAdd(byPackage, JSON.stringify([input, profile]), () => target);
  }
  return [...byPackage.values()];
}

function pathsOf({ registered }: FleetTarget): Readonly<Record<VendoredPart, string>> {
  return vendoredPaths({ url: registered!.url, digest: digestOfPackage(registered!)! });
}

async function readPackages(
  targets: readonly FleetTarget[],
  { fleet, environment }: OpenedFleet,
  { isCheck, settings }: FleetVendoring,
) {
  const own = isCheck ? { ...settings, allowPrivate: false, offline: true } : settings;
  // A check only compares files with the lock, without the network.
  const rules = { ...fleet!, isVerifying: !isCheck };
  const packages = openFleetPackages({ ...rules, settings: own, environment, isKeeping: false });
  const disk = openDisk(environment);
  return await fetchAtOnce(targets, async (target) => {
    try {
      return { files: await readFiles(target, packages), diagnostics: [] };
    } catch (error) {
      const refusal = describeRefusal(error);
      if (refusal === undefined) throw error;
      if (!isCheck) return { files: [], diagnostics: refusal.diagnostics };
      const { content } = pathsOf(target);
      const isThere = (await disk.kindOf(content)) !== undefined;
      return { files: [], diagnostics: [describeStale(content, isThere ? 'different' : 'missing')] };
    }
  });
}

async function readFiles(target: FleetTarget, packages: FleetPackages) {
  const parts = await packages.readParts(target);
  return Object.entries(pathsOf(target)).map(([part, path]) => ({ path, text: parts[part as VendoredPart] }));
}

/** Files of earlier versions, and of packages that no target uses. */
async function listLeftOver(
  targets: readonly FleetTarget[],
  environment: Environment,
): Promise<readonly { readonly path: string }[]> {
  const wanted = new Set(targets.flatMap((target) => Object.values(pathsOf(target))));
  const entries = await ifReadable(() => openDisk(environment).list(vendorDirectory), []);
  return entries
    .filter(({ name, kind }) => kind === 'file' && isVendoredName(name))
    .map(({ name }) => ({ path: `${vendorDirectory}/${name}` }))
    .filter(({ path }) => !wanted.has(path));
}

function isContent(path: string): boolean {
  return path.endsWith('.tgz');
}

function describeStale(path: string, state: 'missing' | 'different' | 'left over'): Diagnostic {
  return cliProblems.create('output-stale', { path, state });
}

/** One line for each package that was written or removed. */
function describe(summary: FileUpdateSummary, targets: readonly FleetTarget[]): string {
  const names = new Map(targets.map((target) => [pathsOf(target).content, nameOf(target)]));
  const text = formatUpdate(summary, names, isContent);
  if (text !== '') return text;
  if (names.size === 0) return 'the fleet has no packages in registries\n';
  return `${vendorDirectory} is up to date: ${countNoun(names.size, 'package')}\n`;
}

function nameOf({ registered }: FleetTarget): string {
  const { url, tag, locked } = registered!;
  const version = locked?.version ?? locked?.tag ?? tag;
  return version === undefined ? url : `${url} ${version}`;
}
