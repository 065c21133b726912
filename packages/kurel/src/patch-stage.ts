import { createBudget, listFindings } from './budget/index.ts';
import { buildProblems } from './build-problems.ts';
import type { BuildRequest, PatchSettings } from './build-request.ts';
import { DiagnosticError, sentence, setting } from './diagnostics/index.ts';
import { pure } from './engine/index.ts';
import { isJsonObject } from './model/index.ts';
import type { Diagnostic, KubeObject, PostRenderer, RenderContext, Report, SourceFile } from './model/index.ts';
import { formatReferencePath } from './parameters/index.ts';
import type { PatchFile, PatchOptions, PatchResult } from './patch/index.ts';
import { addStage, createFindParameter, stageOfPatches } from './provenance/index.ts';
import type { Facts, FindParameter, Rendering } from './provenance/index.ts';

export interface KpatchOptions extends Pick<PatchOptions, 'variables' | 'trace' | 'conflicts'> {
  /** Types and merge keys; called when the patches are applied. */
  readonly store?: BuildRequest['store'];
}

/** A post-renderer that applies patches, in either syntax, as `--patch` does. */
export function kpatch(sources: SourceFile | readonly SourceFile[], options: KpatchOptions = {}): PostRenderer {
  const texts = Array.isArray(sources) ? [...(sources as readonly SourceFile[])] : [sources as SourceFile];
  return pure(async (objects, context) => {
    const { readPatchFile } = await import('./patch/index.ts');
    const { budget = createBudget() } = context;
    const findings = listFindings(budget);
    const files = texts.map((source) => readPatchFile(source, findings.report, budget));
    passOn(findings.all(), context.report);
    return (await applyFiles(objects, { ...options, files }, { ...context, budget })).objects;
  });
}

/** Applies the patches of a build, which see the objects of all inputs at once. */
export async function patchRendering(
  rendering: Rendering,
  request: BuildRequest,
  context: RenderContext,
): Promise<Rendering> {
  const { patches } = request;
  if (patches === undefined) return rendering;
  const { objects, facts, provenance } = rendering;
  request.progress?.({ doing: 'patching', objects: objects.length });
  const { origins } = context;
  const { files, layers = [] } = patches;
  const settings = { ...patches, store: request.store, variables: variablesFor(patches, facts) };
  const result = await applyFiles(objects, settings, context);
  const inFlags = findInFlags(patches);
  const findParameter: FindParameter = (path) => facts.parameters?.find(path) ?? inFlags(path);
  const stage = stageOfPatches({ origins, objects, changes: result.changes, files, findParameter });
  const texts = () => [...stage.texts!(), ...layers.map(({ source }) => source)];
  return { objects: result.objects, facts, provenance: addStage(provenance, { ...stage, texts }) };
}

/** Filters and transformers expect patched objects, so an error ends the render. */
async function applyFiles(
  objects: readonly KubeObject[],
  { files, store, ...options }: KpatchOptions & { readonly files: readonly PatchFile[] },
  { report, origins, budget }: RenderContext,
): Promise<PatchResult> {
  const findings = listFindings(budget ?? createBudget());
  // Loaded on demand: patches are a tenth of the program, and most builds have none.
  const { applyPatches } = await import('./patch/index.ts');
  const result = applyPatches(objects, files, {
    ...options,
    store: store?.().with(objects, (definition) => origins.get(definition)?.file ?? 'the input'),
    origins,
    budget,
    report: findings.report,
  });
  passOn(findings.all(), report);
  if (objects.length > 0 && result.objects.length === 0) {
    report(buildProblems.create('nothing-kept', { count: objects.length }));
  }
  return result;
}

function passOn(diagnostics: readonly Diagnostic[], report: Report): void {
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new DiagnosticError(diagnostics);
  diagnostics.forEach(report);
}

/** Patches for a package may use its parameters. */
function variablesFor({ variables }: PatchSettings, { parameters }: Facts): PatchSettings['variables'] {
  if (parameters === undefined) return variables;
  const { values, writtenAt, hasDottedNames } = parameters;
  const features = variables?.features ?? {};
  const hasFeatures = Object.keys(features).length > 0 && !Object.hasOwn(values, 'features');
  return { scope: 'package', values: hasFeatures ? { ...values, features } : values, writtenAt, hasDottedNames };
}

/** The variables of patches without a package: `values.x` from flags and files, and `features.x`. */
function findInFlags({ variables, layers = [] }: PatchSettings): FindParameter {
  const { values = {}, features = {} } = variables ?? {};
  const find = createFindParameter({ layers, merged: values, values });
  return (path) => {
    const [scope, ...rest] = path;
    const name = formatReferencePath(path);
    if (scope === 'features' && rest.length === 1 && typeof rest[0] === 'string' && isJsonObject(features)) {
      const value = Object.hasOwn(features, rest[0]) ? features[rest[0]] : undefined;
      const words = sentence`${setting('features', `${rest[0]}${value === false ? '=false' : ''}`)}`;
      return value === undefined ? undefined : { name, value, words, refersTo: [] };
    }
    const source = scope === 'values' ? find(rest) : undefined;
    return source === undefined ? undefined : { ...source, name };
  };
}
