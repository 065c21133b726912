import { DiagnosticError } from '../diagnostics/index.ts';
import { SourceError } from '../engine/index.ts';
import {
  type FileSystem,
  ProgramError,
  type ProgramRunner,
  type Renderer,
  type Report,
  type Values,
} from '../model/index.ts';
import { detectInput, type InputForm } from './detect-input.ts';
import { helmRenderer } from './helm/helm-renderer.ts';
import { kustomizeRenderer } from './kustomize/kustomize-renderer.ts';
import { manifestsRenderer } from './manifests/manifests-renderer.ts';
import { inputProblems } from './problems.ts';
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
  if (request.path === '-') {
    const text = request.stdin ?? '';
    return manifestsRenderer({ name: 'stdin', text }, placeIn(namespace, 'all'));
  }
  const { form, path } =
    request.as === undefined ? await detectInput(fileSystem, request.path) : { form: request.as, path: request.path };
  if (form === 'manifests') {
    if (Object.keys(values).length > 0) report(inputProblems.create('input-takes-no-values', { path }));
    return manifestsRenderer({ fileSystem, path }, placeIn(namespace, 'all'));
  }
  const shared = { fileSystem, programs: request.programs ?? noPrograms, allowNetwork: request.allowNetwork === true };
  try {
    if (form === 'chart') {
      const options = { ...shared, ...placeIn(namespace, 'those-without') };
      return helmRenderer(createHelmSource(path, request), options);
    }
    const { loadRestrictions = 'root' } = request.kustomization ?? {};
    return kustomizeRenderer({ path, loadRestrictions }, { ...shared, ...placeIn(namespace, 'all') });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const reasons = error.message.replaceAll(/^source 0: /gm, '').split('\n');
    throw new DiagnosticError(
      reasons.map((reason) => inputProblems.create('input-setting-refused', { reason })),
      { cause: error },
    );
  }
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

const noPrograms: ProgramRunner = {
  run({ program }) {
    throw new ProgramError(program, 'not-found', `${program} is needed, but no programs can be run here`, {
      hint: 'give `programs`, as in `programs: programRunner({ environment: process.env })` of kurel/host',
    });
  },
};
