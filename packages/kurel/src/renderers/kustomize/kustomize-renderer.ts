import { DiagnosticError } from '../../diagnostics/index.ts';
import { defineRenderer, type RendererOptions, type SourceOptions } from '../../engine/index.ts';
import type { FileSystem, KubeObject, ProgramRunner, RenderContext, Renderer, Values } from '../../model/index.ts';
import { collectFindings } from '../collect-findings.ts';
import { isBlank } from '../is-blank.ts';
import { asLocalPath, joinPath, normalisePath } from '../paths.ts';
import { readObjects } from '../read-objects.ts';
import { runProgram } from '../run-program.ts';
import { createWorkspace, type KustomizationCopy, type WorkspaceOptions } from './create-workspace.ts';
import { kustomizeProblems } from './problems.ts';
import { locateError, locateWarning, readKustomizeMessages } from './read-kustomize-messages.ts';
import { type KustomizationScan, scanKustomization } from './scan-kustomization.ts';
import { writeValuesConfigMap } from './values-config-map.ts';

/** A directory with a kustomization file. */
export interface KustomizeSource extends SourceOptions<KustomizeSource> {
  readonly path: string;
  /** Whether files may be read from below the kustomization only (`root`) or from anywhere; the renderer's unless given. */
  readonly loadRestrictions?: 'root' | 'none';
}

export interface KustomizeOptions extends RendererOptions {
  readonly programs: ProgramRunner;
  /** Must show the same files as the programs see, for kustomizations are read by kustomize itself. */
  readonly fileSystem: FileSystem;
  readonly loadRestrictions?: 'root' | 'none';
  /** Lets kustomize fetch what the kustomization names from elsewhere. */
  readonly allowNetwork?: boolean;
}

/**
 * Renders kustomizations by `kustomize build`, whose output it gives object by object. Kustomize does not say which file an
 * object came from, so origins name the kustomization. Plugins, functions and helm charts in kustomizations stay off.
 */
export function kustomizeRenderer(
  sources: KustomizeSource | readonly KustomizeSource[],
  options: KustomizeOptions,
): Renderer {
  return defineRenderer<KustomizeSource>({
    name: 'kustomize',
    sources,
    options,
    *validate({ path }) {
      if (isBlank(path)) yield { field: 'path', message: 'must not be blank' };
    },
    describe: ({ path }) => path,
    pathOf: ({ path }) => path,
    identify: ({ path, loadRestrictions = null }) => ({ path, loadRestrictions }),
    render: (source, values, context) => renderSource(source, { values, context, options }),
  });
}

interface Rendering {
  readonly values: Values;
  readonly context: RenderContext;
  readonly options: KustomizeOptions;
}

async function renderSource(source: KustomizeSource, rendering: Rendering): Promise<readonly KubeObject[]> {
  const { values, context, options } = rendering;
  const { path } = source;
  const { fileSystem, programs, allowNetwork = false } = options;
  const hasValues = Object.keys(values).length > 0;
  const promised = hasValues ? normalisePath(joinPath(path, 'values.yaml')) : undefined;
  const scan = await scanKustomization(path, { fileSystem, allowNetwork, promised });
  const loadRestrictions = source.loadRestrictions ?? options.loadRestrictions ?? 'root';
  const copy = hasValues ? await copyWithValues(path, { scan, values, fileSystem, loadRestrictions }) : undefined;
  const { exitCode, stdout, stderr } = await runProgram(programs, {
    program: 'kustomize',
    args: [
      'build',
      `--load-restrictor=${loadRestrictions === 'none' ? 'LoadRestrictionsNone' : 'LoadRestrictionsRootOnly'}`,
      '--',
      copy?.path ?? asLocalPath(path),
    ],
    ...(copy === undefined ? {} : { workspace: copy.workspace }),
    network: allowNetwork,
    signal: context.signal,
  });

  const { warnings, error } = readKustomizeMessages(copy?.restorePaths(stderr) ?? stderr);
  for (const reason of warnings) {
    const location = locateWarning(reason, scan.kustomizations);
    context.report(kustomizeProblems.create('kustomization-warning', { path, reason }, { location }));
  }
  if (exitCode !== 0) {
    const location = locateError(error, scan.kustomizations);
    throw new DiagnosticError([
      kustomizeProblems.create('kustomization-build-failed', { path, reason: error }, { location }),
    ]);
  }
  const findings = collectFindings(context.report, context.budget);
  const printed = { path: `kustomize build ${path}`, text: stdout };
  const objects = readObjects(printed, {
    context,
    report: findings.report,
    originOf: () => ({ renderer: 'kustomize', source: path }),
  });
  findings.throwErrors([printed]);
  return objects;
}

async function copyWithValues(
  path: string,
  parts: Omit<WorkspaceOptions, 'path' | 'values'> & { readonly scan: KustomizationScan; readonly values: Values },
): Promise<KustomizationCopy> {
  const { scan, values, fileSystem, loadRestrictions } = parts;
  const file = joinPath(path, 'values.yaml');
  if ((await fileSystem.kindOf(file)) !== undefined) {
    const place = { location: { file } };
    throw new DiagnosticError([kustomizeProblems.create('kustomization-values-exist', { path: file }, place)]);
  }
  return await createWorkspace(scan, { path, values: writeValuesConfigMap(values), fileSystem, loadRestrictions });
}
