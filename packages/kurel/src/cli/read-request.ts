import { nearest, quote } from '../diagnostics/index.ts';
import { applyFilters, nameOf } from '../index.ts';
import type { BuildRequest, PackageSettings } from '../index.ts';
import type { Diagnostic, FileSystem, KubeObject, Values } from '../model/index.ts';
import type { FetchAccess } from '../registry/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { filtersOf, namesOf, readSteps } from './flags-to-pipeline.ts';
import type { FlagFilter } from './flags-to-pipeline.ts';
import { parseAcceptance } from './input-flags.ts';
import type { InputFlags } from './input-flags.ts';
import type { InputWorld, OpenedInput } from './open-world.ts';
import { openWorld } from './open-world.ts';
import type { Findings } from './print-diagnostics.ts';
import { applicationLayers, readApplicationFlags, readPackageFlags, readPolicyFlag } from './package-flags.ts';
import { readLayers, readValueFlags } from './value-flags.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import { readPatchFlags } from './patch-flags.ts';
import type { PatchFlagsReading } from './patch-flags.ts';
import type { GivenValues } from './value-flags.ts';
import { UsageError } from './usage-error.ts';

export interface RequestReading extends Findings {
  readonly ok: boolean;
  readonly request: BuildRequest;
}

/** Input flags → a build request. Without errors, it can be built. */
export async function readRequest(
  { form, path, as }: OpenedInput,
  flags: FlagValues<InputFlags>,
  environment: Environment,
  { fileSystem, valueFiles, programs, inline }: InputWorld = openWorld(environment),
): Promise<RequestReading> {
  if (flags.offline && flags['allow-network']) {
    throw new UsageError('--offline and --allow-network cannot be combined', 'choose one of them');
  }
  const filters = filtersOf(flags, environment);
  const transformers = readSteps(flags, environment);
  const settings = readPackageFlags(path, flags, environment);
  // The package itself came from there, or that of another target of the fleet.
  const isForRegistry = (isRemotePath(path) || inline !== undefined) && form.fetches !== true;
  const application = readApplicationFlags(isForRegistry ? { ...flags, 'allow-private': false } : flags);
  const network = form.fetches === true ? await openNetwork(flags, environment) : undefined;
  const { values, given, diagnostics, sources } = await readValueFlags(flags, valueFiles, {
    reading: form.values,
    budget: environment.budget,
    readStdin: environment.readStdin,
    paths: [path],
    inline: inline?.values,
  });
  const patching = await readPatching({ path, flags, values, given }, environment);
  const isDeclared = form.values === 'declared';
  const packaging = form.values === 'layered' ? await readPackaging({ path, given, settings, fileSystem }) : undefined;
  const found = [...diagnostics, ...(patching?.diagnostics ?? []), ...(packaging?.diagnostics ?? [])];
  const ok = !found.some(({ severity }) => severity === 'error');
  const request: BuildRequest = {
    path,
    fileSystem,
    programs,
    ...(path === '-' && ok ? { stdin: await environment.readStdin() } : {}),
    values: isDeclared ? {} : values,
    patches: patching?.settings,
    filters: filters.map(({ filter }) => filter),
    explainNothingLeft: (objects) => explainNothingLeft(objects, filters),
    names: namesOf(flags),
    transformers,
    strict: flags.strict,
    acceptances: [...flags.accept.map(parseAcceptance), ...(inline?.acceptances ?? [])],
    maxObjects: environment.limits?.maxObjects,
    budget: environment.budget,
    chart: {
      releaseName: flags['release-name'],
      includeCrds: flags['include-crds'],
      kubeVersion: flags['kube-version'],
      apiVersions: flags['api-version'],
    },
    package: isDeclared ? { ...settings, layers: applicationLayers(given) } : (packaging?.settings ?? settings),
    application: { ...application, credentialsFor: network?.credentialsFor },
    policy: readPolicyFlag(flags),
    fetcher: network?.fetcher,
    kustomization: { loadRestrictions: flags['load-restrictions'] },
    allowNetwork: flags['allow-network'],
    as,
    forms: environment.forms,
    namespace: flags.namespace,
    signal: environment.signal,
    progress: environment.progress?.onBuild,
  };
  return { ok, request, diagnostics: found, sources: [...sources, ...(patching?.sources ?? [])] };
}

/** Loaded on demand: only application packages use kurel's own network access. */
async function openNetwork(flags: FlagValues<InputFlags>, environment: Environment): Promise<FetchAccess> {
  const { createRegistryAccess } = await import('./registry-access.ts');
  return createRegistryAccess(flags, environment);
}

interface Patching {
  readonly path: string;
  readonly flags: FlagValues<InputFlags>;
  readonly values: Values;
  readonly given: readonly GivenValues[];
}

async function readPatching(
  { path, flags, values, given }: Patching,
  environment: Environment,
): Promise<PatchFlagsReading | undefined> {
  if (flags.patch.length === 0) {
    if (flags.feature.length > 0) throw new UsageError('--feature needs --patch', 'only patches have features');
    return undefined;
  }
  return readPatchFlags(flags, { paths: [path], values, given }, environment);
}

interface Packaging {
  readonly path: string;
  readonly given: readonly GivenValues[];
  readonly settings: PackageSettings;
  readonly fileSystem: FileSystem;
}

interface PackagingReading {
  readonly settings: PackageSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** Values as layers over the parameters of a package, whose code is loaded on demand. */
async function readPackaging({ path, given, settings, fileSystem }: Packaging): Promise<PackagingReading> {
  const { layers, diagnostics } = await readLayers(given, async () => {
    const { readOwnParameters } = await import('./open-package.ts');
    return readOwnParameters({ path, fileSystem, local: settings.local, limits: settings.limits });
  });
  return { settings: { ...settings, layers }, diagnostics };
}

/** The first filter flag that dropped all remaining objects, and values that would keep some. */
async function explainNothingLeft(
  objects: readonly KubeObject[],
  filters: readonly FlagFilter[],
): Promise<string | undefined> {
  let rest = objects;
  for (const [index, one] of filters.entries()) {
    const kept = await applyFilters(rest, [one.filter]);
    if (kept.length === 0) return describe(one, { rest, before: filters.slice(0, index) });
    rest = kept;
  }
  return undefined;
}

interface Loss {
  readonly rest: readonly KubeObject[];
  readonly before: readonly FlagFilter[];
}

function describe({ flag, words }: FlagFilter, { rest, before }: Loss): string {
  const others = [...new Set(before.map((one) => `--${one.flag}`))].join(' and ');
  const of =
    others === '' ? 'no object' : `none of the objects that ${others} ${before.length === 1 ? 'keeps' : 'keep'}`;
  const parsed = `${of} fits --${flag} ${words.map(quote).join(' or ')}`;
  if (flag !== 'kind' && flag !== 'name') return parsed;
  const known = [...new Set(rest.map((object) => (flag === 'kind' ? object.kind : nameOf(object))))].toSorted();
  const near = words
    .map((word) => nearest(word.slice(word.lastIndexOf('/') + 1), known))
    .find((one) => one !== undefined);
  if (near !== undefined) return `${parsed}; did you mean ${near}?`;
  return `${parsed}; there ${known.length === 1 ? 'is' : 'are'} ${listShort(known)}`;
}

const most = 10;

function listShort(words: readonly string[]): string {
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown} and ${words.length - most} more` : shown;
}
