import { DiagnosticError } from '../diagnostics/index.ts';
import { SourceError } from '../engine/index.ts';
import {
  type Budget,
  type Diagnostic,
  type Fetcher,
  type FileSystem,
  type ProgramRunner,
  type Renderer,
  type Report,
  type Values,
} from '../model/index.ts';
import type { ParameterLayer } from '../parameters/index.ts';
import type { PatchFile } from '../patch/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import { applicationDirectory, type DetectedInput, detectInput, type InputForm } from './detect-input.ts';
import { manifestsRenderer } from './manifests/manifests-renderer.ts';
import { noPrograms } from './no-programs.ts';
import type { ApplicationSource } from './application/application-renderer.ts';
import type { ApplicationRendering } from './application/render-application.ts';
import type { PackageLimits } from './package-loading.ts';
import type { PackageRendering } from './patch-package/patch-package.ts';
import { inputProblems, networkSetting } from './problems.ts';
import { putInNamespace } from './put-in-namespace.ts';

/** What is to be built. */
export interface InputRequest {
  /** A path, a pattern, or `-` for `stdin`. */
  readonly path: string;
  readonly fileSystem: FileSystem;
  readonly programs?: ProgramRunner | undefined;
  readonly stdin?: string | undefined;
  /** Spares the look at the path. */
  readonly as?: InputForm | undefined;
  readonly values?: Values | undefined;
  /** Every namespaced object is put here; of a chart only those that name no namespace of their own. */
  readonly namespace?: string | undefined;
  readonly chart?: ChartSettings | undefined;
  readonly kustomization?: KustomizationSettings | undefined;
  readonly allowNetwork?: boolean | undefined;
  readonly package?: PackageSettings | undefined;
  readonly application?: ApplicationSettings | undefined;
  /** The file of the Policy that holds for everything that is built. */
  readonly policy?: string | undefined;
  /** Gets what an application package names and does not hold; without it there is no network. */
  readonly fetcher?: Fetcher | undefined;
  /** Types and merge keys for the patches of packages; asked for when there are some. */
  readonly store?: (() => SchemaStore) | undefined;
  /** Warnings are errors. */
  readonly strict?: boolean | undefined;
  /** What everything together may use up; one with the usual limits without it. */
  readonly budget?: Budget | undefined;
}

/** Of patch packages; `layers`, `limits`, `trace` and `unchanged` are for application packages as well. */
export interface PackageSettings {
  /** The directory of the local extension, or `false` for none; unless given, the one beside the package. */
  readonly local?: string | false | undefined;
  /** Patches to enable by name. */
  readonly force?: readonly string[] | undefined;
  /** How many references one may lead through; 10 unless said. */
  readonly maxDepth?: number | undefined;
  readonly limits?: PackageLimits | undefined;
  /** Where values come from, for messages and traces; takes the place of `values`. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** Patches that are laid over a patch package, which may use its parameters as well. */
  readonly laidOver?: readonly PatchFile[] | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  /** Also records what patches say and was so already. */
  readonly unchanged?: boolean | undefined;
  /** Gets everything that a build of the package finds out. */
  readonly onRendered?: ((rendering: PackageRendering) => void) | undefined;
}

/** Of application packages. */
export interface ApplicationSettings extends Pick<
  ApplicationSource,
  'profile' | 'definitions' | 'handlers' | 'fluxNamespace' | 'isOffline' | 'plainHttp' | 'isLocking' | 'onTaken'
> {
  /** Gets everything that a build of the application finds out. */
  readonly onRendered?: ((rendering: ApplicationRendering) => void) | undefined;
}

/** As `helm template` has them. */
export interface ChartSettings {
  /** `release-name` unless given, as `helm template` has it. */
  readonly releaseName?: string | undefined;
  readonly includeCrds?: boolean | undefined;
  readonly skipTests?: boolean | undefined;
  readonly kubeVersion?: string | undefined;
  readonly apiVersions?: readonly string[] | undefined;
}

export interface KustomizationSettings {
  readonly loadRestrictions?: 'root' | 'none' | undefined;
}

/** The renderer for what a path is. Throws findings when there is nothing at the path or it could be two things. */
export async function createInputRenderer(request: InputRequest, report: Report): Promise<Renderer> {
  const { fileSystem, values = {}, namespace } = request;
  const { form, path } = await chooseForm(request);
  for (const setting of unusedSettings(form, request))
    report(inputProblems.create('input-setting-unused', { path, form, setting }));
  if (form === 'manifests') {
    if (Object.keys(values).length > 0) report(inputProblems.create('input-takes-no-values', { path }));
    const source = path === '-' ? { name: 'stdin', text: request.stdin ?? '' } : { fileSystem, path };
    return manifestsRenderer(source, placeIn(namespace, 'all'));
  }
  if (form === 'patch-package') {
    const { patchPackageRenderer } = await import('./patch-package/patch-package-renderer.ts');
    const { store } = request;
    return patchPackageRenderer({ fileSystem, path, store, ...request.package }, placeIn(namespace, 'all'));
  }
  if (form === 'application') {
    const { applicationRenderer } = await import('./application/application-renderer.ts');
    const { store, programs, fetcher, policy, package: { layers, trace, unchanged, limits } = {} } = request;
    // The build namespace of an application is its own affair: objects that name one keep it.
    return applicationRenderer({
      fileSystem,
      path,
      namespace,
      store,
      programs,
      fetcher,
      layers,
      trace,
      unchanged,
      limits,
      policy,
      ...request.application,
    });
  }
  const shared = { fileSystem, programs: request.programs ?? noPrograms, allowNetwork: request.allowNetwork === true };
  try {
    // Loaded when there is something for them: most builds have neither.
    if (form === 'chart') {
      const options = { ...shared, ...placeIn(namespace, 'those-without') };
      const { helmRenderer } = await import('./helm/helm-renderer.ts');
      return helmRenderer(createHelmSource(path, request), options);
    }
    const { loadRestrictions = 'root' } = request.kustomization ?? {};
    const { kustomizeRenderer } = await import('./kustomize/kustomize-renderer.ts');
    return kustomizeRenderer({ path, loadRestrictions }, { ...shared, ...placeIn(namespace, 'all') });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const reasons = error.message.replaceAll(/^source 0: /gm, '').split('\n');
    throw new DiagnosticError(reasons.map(explainSetting), { cause: error });
  }
}

const settings: readonly (readonly [field: RegExp, words: string, flag: string])[] = [
  [/^releaseName\b/, 'the release name', '--release-name'],
  [/^releaseNamespace\b/, 'the namespace', '--namespace'],
  [/^kubeVersion\b/, 'the Kubernetes version of the chart', '--kube-version'],
  [/^apiVersions\[\d+\]/, 'the API version of the chart', '--api-version'],
];

/** Renderers speak of the fields of their sources; here the settings have other names. */
function explainSetting(reason: string): Diagnostic {
  const [field, words, flag] = settings.find(([one]) => one.test(reason)) ?? [];
  const said = field === undefined ? reason : reason.replace(field, () => words!);
  return inputProblems.create('input-setting-refused', { reason: said, flag });
}

async function chooseForm({ path, as, fileSystem, application }: InputRequest): Promise<DetectedInput> {
  if (path !== '-') {
    if (as === undefined)
      return await detectInput(fileSystem, path, { isForApplications: application?.profile !== undefined });
    return { form: as, path: as === 'application' ? applicationDirectory(path) : path };
  }
  if (as === undefined || as === 'manifests') return { form: 'manifests', path };
  const reason = `standard input holds manifests; it cannot be a ${as}`;
  throw new DiagnosticError([inputProblems.create('input-setting-refused', { reason })]);
}

/** By the names of the flags, which say what is meant in the library too. */
function unusedSettings(
  form: InputForm,
  { chart = {}, kustomization = {}, allowNetwork, package: settings = {}, application = {} }: InputRequest,
): readonly string[] {
  const ofCharts = {
    'the release name': chart.releaseName,
    'include CRDs': chart.includeCrds === true ? true : undefined,
    'skip tests': chart.skipTests === true ? true : undefined,
    'the Kubernetes version of the chart': chart.kubeVersion,
    'an API version of the chart': chart.apiVersions?.[0],
  };
  const ofKustomizations = { 'the load restriction': kustomization.loadRestrictions };
  const ofPrograms = { [networkSetting]: allowNetwork === true ? true : undefined };
  const { local, force, maxDepth } = settings;
  const ofPackages = {
    'a local extension': typeof local === 'string' ? local : undefined,
    'a patch to enable': force?.[0],
    'the depth of references': maxDepth,
  };
  const { profile, definitions, fluxNamespace, plainHttp } = application;
  const ofApplications = {
    'a profile': profile,
    'a capability definition': definitions?.[0],
    'a namespace for Flux objects': fluxNamespace,
    'leave to use private addresses': plainHttp === true ? true : undefined,
  };
  const unused = {
    manifests: { ...ofCharts, ...ofKustomizations, ...ofPrograms, ...ofPackages, ...ofApplications },
    kustomization: { ...ofCharts, ...ofPackages, ...ofApplications },
    chart: { ...ofKustomizations, ...ofPackages, ...ofApplications },
    'patch-package': { ...ofCharts, ...ofKustomizations, ...ofPrograms, ...ofApplications },
    application: { ...ofCharts, ...ofKustomizations, ...ofPrograms, ...ofPackages },
  }[form];
  return Object.entries(unused).flatMap(([setting, value]) => (value === undefined ? [] : [setting]));
}

function createHelmSource(path: string, { chart = {}, namespace }: InputRequest) {
  return {
    chart: path,
    releaseName: chart.releaseName ?? 'release-name',
    includeCrds: chart.includeCrds === true,
    skipTests: chart.skipTests === true,
    apiVersions: chart.apiVersions ?? [],
    ...(namespace === undefined ? {} : { releaseNamespace: namespace }),
    ...(chart.kubeVersion === undefined ? {} : { kubeVersion: chart.kubeVersion }),
  };
}

function placeIn(namespace: string | undefined, which: 'all' | 'those-without') {
  return namespace === undefined ? {} : { postRenderers: [putInNamespace(namespace, which)] };
}
