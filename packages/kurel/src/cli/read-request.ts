import { listFirst, nearest, quote } from '../diagnostics/index.ts';
import { applyFilters, nameOf } from '../index.ts';
import type { BuildRequest } from '../index.ts';
import type { KubeObject } from '../model/index.ts';
import type { FetchAccess } from '../registry/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import { filtersOf, flagOfFilter, namesOf, readSteps } from './flags-to-pipeline.ts';
import type { SettingFilter } from './flags-to-pipeline.ts';
import { parseAcceptance } from './input-flags.ts';
import { createStore, readDefinitionFlags } from './open-schemas.ts';
import { openWorld } from './open-world.ts';
import type { OpenedInput } from './open-input.ts';
import type { InputWorld } from './open-world.ts';
import { readApplicationFlags, readPackageFlags } from './package-flags.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { collectUsage, hasErrors, UsageError } from './usage-error.ts';
import { readLayersFor, readValueFlags } from './value-flags.ts';

export interface RequestReading extends SourcedFindings {
  /** Has the findings, too: a build decides about them as about its own. */
  readonly request: BuildRequest;
}

/** Settings → a build request. Without errors, it can be built. */
export async function readRequest(
  { form, path, as }: OpenedInput,
  settings: BuildSettings,
  environment: Environment,
  world: Partial<InputWorld> = {},
): Promise<RequestReading> {
  const { fileSystem, valueFiles, programs, inline } = { ...openWorld(environment), ...world };
  const usage = collectUsage();
  usage.attempt(() => checkCombinations(settings));
  const filters = filtersOf(settings, environment, usage);
  const names = namesOf(settings, usage);
  const transformers = readSteps(settings, environment, usage);
  const acceptances = usage.attemptEach(settings.accept, parseAcceptance);
  const { kubernetesVersion, crds } = settings;
  const memory = environment.budget?.memory;
  const store = usage.attempt(() => createStore(kubernetesVersion, { memory }));
  usage.throwAll();
  const packageSettings = readPackageFlags(path, settings, environment);
  // The flag was for fetching the package itself, or that of another target of the fleet.
  const ignoresAllowPrivate = (isRemotePath(path) || inline !== undefined) && form.fetches !== true;
  const application = readApplicationFlags(ignoresAllowPrivate ? { ...settings, allowPrivate: false } : settings);
  const network = form.fetches === true ? openNetwork(settings, environment) : undefined;
  const options = { reading: form.values, paths: [path], inline: inline?.values, files: valueFiles };
  const { values, valueLayers, diagnostics, sources } = await readValueFlags(settings, options, environment);
  const patching =
    settings.patches.length === 0
      ? undefined
      : // Loaded on demand: most builds have no patches.
        await (
          await import('./patch-flags.ts')
        ).readPatchFlags(settings, { paths: [path], values, valueLayers }, environment);
  const layered = await readLayersFor(form, valueLayers, { path, fileSystem, package: packageSettings });
  const { layers } = layered;
  const wrong = [...diagnostics, ...(patching?.diagnostics ?? []), ...layered.diagnostics];
  // A build reads the definitions, but wrong settings prevent it, and their own mistakes would be reported in a second run only.
  const definitions = hasErrors(wrong) ? await readDefinitionFlags(crds, environment, fileSystem) : undefined;
  const findings = [...wrong, ...(definitions?.diagnostics ?? [])];
  const request: BuildRequest = {
    path,
    fileSystem,
    programs,
    ...(path === '-' && !hasErrors(findings) ? { stdin: await environment.readStdin() } : {}),
    // An assignment to a declared parameter has no value before its type is known.
    values: form.values === 'declared' ? {} : values,
    patches: patching?.settings,
    filters: filters.map(({ filter }) => filter),
    explainNothingLeft: (objects) => explainNothingLeft(objects, filters),
    names,
    transformers,
    strict: settings.strict,
    acceptances: [...acceptances, ...(inline?.acceptances ?? [])],
    maxObjects: environment.limits?.maxObjects,
    budget: environment.budget,
    chart: {
      releaseName: settings.releaseName,
      includeCrds: settings.includeCrds,
      kubeVersion: settings.kubeVersion,
      apiVersions: settings.apiVersions,
    },
    package: layers === undefined ? packageSettings : { ...packageSettings, layers },
    application: { ...application, credentialsFor: network?.credentialsFor },
    policy: settings.policy,
    store: () => store!,
    crds,
    fetcher: network?.fetcher,
    kustomization: { loadRestrictions: settings.loadRestrictions },
    allowNetwork: settings.allowNetwork,
    as,
    forms: environment.forms,
    namespace: settings.namespace,
    findings,
    signal: environment.signal,
    progress: environment.progress?.onBuild,
  };
  const texts = [...sources, ...(patching?.sources ?? []), ...(definitions?.sources ?? [])];
  return { request, diagnostics: findings, sources: texts };
}

/** Loaded on demand: most applications fetch nothing. */
function openNetwork(
  settings: BuildSettings,
  environment: Environment,
): Required<Pick<FetchAccess, 'fetcher' | 'credentialsFor'>> {
  let access: Promise<FetchAccess> | undefined;
  const open = (): Promise<FetchAccess> =>
    (access ??= import('./registry-access.ts').then((module) => module.createRegistryAccess(settings, environment)));
  return {
    fetcher: { fetch: async (request) => (await open()).fetcher.fetch(request) },
    credentialsFor: async (host) => (await open()).credentialsFor?.(host),
  };
}

function checkCombinations({ offline, allowNetwork, patches, features }: BuildSettings): void {
  if (offline && allowNetwork) {
    throw new UsageError('--offline and --allow-network cannot be combined', 'choose one of them');
  }
  if (patches.length === 0 && features.length > 0) {
    throw new UsageError('--feature needs --patch', 'add --patch FILE, or remove --feature');
  }
}

/** The first filter that dropped all remaining objects, and values that would keep some. */
async function explainNothingLeft(
  objects: readonly KubeObject[],
  filters: readonly SettingFilter[],
): Promise<string | undefined> {
  let rest = objects;
  for (const [index, filter] of filters.entries()) {
    const kept = await applyFilters(rest, [filter.filter]);
    if (kept.length === 0) return describeLoss(filter, rest, filters.slice(0, index));
    rest = kept;
  }
  return undefined;
}

function describeLoss(filter: SettingFilter, objects: readonly KubeObject[], before: readonly SettingFilter[]): string {
  const { setting, words } = filter;
  const others = [...new Set(before.map(flagOfFilter))].join(' and ');
  const of =
    others === '' ? 'no object' : `none of the objects that ${others} ${before.length === 1 ? 'keeps' : 'keep'}`;
  const loss = `${of} fits ${flagOfFilter(filter)} ${words.map(quote).join(' or ')}`;
  if (setting !== 'kinds' && setting !== 'names') return loss;
  const present = [
    ...new Set(objects.map((object) => (setting === 'kinds' ? object.kind : nameOf(object)))),
  ].toSorted();
  const near = words
    .map((word) => nearest(word.slice(word.lastIndexOf('/') + 1), present))
    .find((word) => word !== undefined);
  if (near !== undefined) return `${loss}; did you mean ${near}?`;
  return `${loss}; there ${present.length === 1 ? 'is' : 'are'} ${listFirst(present, 10)}`;
}
