import { countNoun, escapeControls, quote } from '../../diagnostics/index.ts';
import { updateFiles } from '../../host/index.ts';
import type { FileUpdateSummary } from '../../host/index.ts';
import { build, loadApplication, markedDirectory, planVendor, readLock } from '../../index.ts';
import type { TakenSource, VendorPlan } from '../../index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { defineCommand, switchFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { messageFormatFlag, valueFlags } from '../input-flags.ts';
import { fileLimitFlags, fleetLimitFlags, packageLimitFlags, timeLimitFlags } from '../limits.ts';
import { createStore } from '../open-schemas.ts';
import { openInput } from '../open-input.ts';
import { openDisk, openPrograms, placeOnDisk } from '../open-world.ts';
import { applicationFlags, applicationLayers, readApplicationFlags } from '../package-flags.ts';
import { cliProblems } from '../problems.ts';
import { createRegistryAccess, registryFlags } from '../registry-access.ts';
import { columnWidth } from '../terminal.ts';
import { failureOf, hasErrors, refuseFlags, refuseOtherFlags, UsageError } from '../usage-error.ts';
import { readValueFlags } from '../value-flags.ts';
import { settingsOf } from '../setting-flags.ts';

type Call = CommandCall<typeof flags>;

const lockName = 'kurel.lock';

async function runVendor(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  const path = positionals[0]!;
  if (await isFleetFile(path, call)) return vendorPackages(path, call);
  refuseFlags(flags, ['max-fleet-steps'], { owner: 'fleet files', hint: 'remove it, or pass a fleet file' });
  const { form } = await openInput(path, settingsOf(flags), environment);
  if (form.fetches !== true) {
    const hint = 'pass a directory with app.yaml, or a fleet file';
    throw new UsageError(`${quote(path)} is not an application package`, hint);
  }
  const taking = await takeSources(call);
  if (!taking.ok) return { ...taking, exitCode: failureOf(taking.diagnostics) };
  const { taken, lock, directory } = taking;
  const plan = planVendor(taken, { lock, keep: flags.keep });
  const summary = write(plan, { directory, call, hasLock: lock !== undefined });
  if (!flags.check) return { stdout: describe(summary, plan), diagnostics: summary.diagnostics };
  const diagnostics = [...summary.diagnostics, ...reportStale(summary, directory)];
  return { stdout: hasErrors(diagnostics) ? undefined : upToDate(plan), diagnostics };
}

async function isFleetFile(path: string, { environment }: Call): Promise<boolean> {
  const disk = openDisk(environment);
  if (!/\.ya?ml$/.test(path) || (await disk.kindOf(path)) !== 'file') return false;
  const text = await disk.readText(path);
  return text.includes('launcher.gokure.dev/') && /^kind:[ \t]*["']?Fleet\b/m.test(text);
}

/** Vendored sources depend on values and a profile; vendored packages only on the lock. */
async function vendorPackages(path: string, { flags, environment }: Call): Promise<CommandResult> {
  const used = [
    'check',
    'timeout',
    ...Object.keys(registryFlags),
    'max-file-size',
    'max-fleet-steps',
    'message-format',
  ];
  refuseOtherFlags(flags, used, { owner: 'packages', hint: `remove it: ${quote(path)} is a fleet file` });
  const { vendorFleet } = await import('../fleet/vendor-packages.ts');
  const { registryConfig, allowPrivate } = settingsOf(flags);
  return vendorFleet(path, { settings: { registryConfig, allowPrivate }, isCheck: flags.check }, environment);
}

/** Builds the package and records its sources: fetched or, with `--check`, as vendored. */
async function takeSources({ positionals, flags, environment }: Call) {
  const settings = settingsOf(flags);
  const application = readApplicationFlags(settings);
  const values = await readValueFlags(settings, { reading: 'declared', paths: positionals }, environment);
  const refused = { ok: false as const, diagnostics: values.diagnostics, sources: values.sources };
  if (hasErrors(values.diagnostics)) return refused;
  const { fetcher, credentialsFor } = createRegistryAccess(settings, environment);
  const taken: TakenSource[] = [];
  const fileSystem = openDisk(environment);
  const result = await build({
    path: positionals[0]!,
    as: 'application',
    fileSystem,
    programs: openPrograms(environment),
    fetcher,
    package: { layers: applicationLayers(values.valueLayers), limits: environment.limits?.package },
    application: {
      ...application,
      credentialsFor,
      isOffline: flags.check,
      isLocking: !flags.check,
      onTaken: (source) => void taken.push(source),
    },
    policy: flags.policy,
    store: () => createStore(undefined),
    signal: environment.signal,
    progress: environment.progress?.onBuild,
  });
  const { ok, diagnostics } = result;
  const pkg = ok
    ? await loadApplication({ fileSystem, path: markedDirectory(positionals[0]!), profile: false }, ignore)
    : undefined;
  if (pkg === undefined) return { ...refused, diagnostics, sources: [...values.sources, ...result.sources] };
  return { ok: true as const, taken, lock: pkg.lock && readLock(pkg.lock, ignore), directory: pkg.path };
}

// The build has reported all problems of the package.
function ignore(): void {}

function write(
  { lockText, files, leftOver }: VendorPlan,
  { directory, call, hasLock }: { readonly directory: string; readonly call: Call; readonly hasLock: boolean },
): FileUpdateSummary {
  return updateFiles(placeOnDisk(directory, call.environment), {
    wanted: files.map(({ path, bytes }) => ({ path, text: bytes })),
    unwanted: [...leftOver, ...(lockText === undefined && hasLock ? [{ path: lockName }] : [])],
    index: lockText === undefined ? undefined : { path: lockName, text: lockText },
    isDry: call.flags.check,
  });
}

/** What `--check` reports about files that would be changed. */
export function reportStale({ added, changed, removed }: FileUpdateSummary, directory?: string): readonly Diagnostic[] {
  const states = { missing: added, different: changed, 'left over': removed } as const;
  return (Object.keys(states) as (keyof typeof states)[]).flatMap((state) =>
    states[state].map((file) => {
      const path = directory === undefined ? file : `${directory}/${file}`;
      return cliProblems.create('output-stale', { path, state });
    }),
  );
}

function describe(summary: FileUpdateSummary, plan: VendorPlan): string {
  const names = new Map([...plan.files, ...plan.leftOver].map(({ path, name }) => [path, nameSource(name)]));
  return formatUpdate(summary, names) || upToDate(plan);
}

/** One line per file that was written or removed, with its source. */
export function formatUpdate(
  { added, changed, removed }: FileUpdateSummary,
  names: ReadonlyMap<string, string>,
  isShown: (path: string) => boolean = () => true,
): string {
  const rows = Object.entries({ added, changed, removed }).flatMap(([word, paths]) =>
    paths.filter(isShown).map((path) => ({ word, path })),
  );
  const width = columnWidth(rows.map(({ path }) => path));
  return rows
    .map(({ word, path }) => `${word.padEnd('changed'.length)}  ${path.padEnd(width)}  ${names.get(path) ?? ''}`)
    .map((line) => `${escapeControls(line.trimEnd())}\n`)
    .join('');
}

function nameSource({ url, chart, version }: TakenSource | VendorPlan['files'][number]['name']): string {
  return [url, chart, version].filter((word) => word !== undefined).join(' ');
}

function upToDate({ files, lockText }: VendorPlan): string {
  if (files.length > 0) return `${lockName} is up to date: ${countNoun(files.length, 'source')}\n`;
  return lockText === undefined ? 'the package has no remote sources\n' : `${lockName} is up to date\n`;
}

// The namespace of Flux objects does not affect what is fetched.
const { offline: _, 'flux-namespace': __, ...platformFlags } = applicationFlags;

const { 'max-resources': ___, ...packageLimits } = packageLimitFlags;

const flags = {
  ...valueFlags,
  ...platformFlags,
  keep: switchFlag('Keep locked sources that these values and this profile do not use.'),
  check: switchFlag('Write and fetch nothing; fail if vendor/ and kurel.lock are not up to date.'),
  ...timeLimitFlags,
  ...packageLimits,
  ...fileLimitFlags,
  ...fleetLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export const vendor = defineCommand({
  name: 'vendor',
  description:
    'Builds the package to find the charts and URLs it uses with these values, fetches them, writes them to vendor/ and records their ' +
    'SHA-256 in kurel.lock. Later builds use exactly these bytes and no network. Sources that are no longer used are removed. If the ' +
    'package does not build, nothing is written. For a fleet file, fetches the packages that kurel.fleet.lock names, and writes them to ' +
    'vendor/packages.',
  arguments: [{ name: 'PKG', summary: 'directory of an application package, or a fleet file', completes: 'path' }],
  flags,
  examples: [
    { says: 'fetch and lock', line: 'kurel vendor shop --profile cluster.yaml' },
    {
      says: 'add sources that only production uses',
      line: 'kurel vendor shop --profile cluster.yaml --values prod.yaml --keep',
    },
    { says: 'check in CI', line: 'kurel vendor shop --profile cluster.yaml --check' },
    { says: 'the packages of a fleet', line: 'kurel vendor kurel.fleet.yaml' },
  ],
  run: runVendor,
});
