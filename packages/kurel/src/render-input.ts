import { listFindings } from './budget/index.ts';
import { buildProblems } from './build-problems.ts';
import { DiagnosticError, diagnosticsOf, sourcesOfError } from './diagnostics/index.ts';
import { fresh } from './engine/index.ts';
import type {
  Budget,
  Diagnostic,
  KubeObject,
  OriginTable,
  RenderContext,
  Renderer,
  Report,
  Values,
} from './model/index.ts';
import type { ParameterLayer } from './parameters/index.ts';
import type { Change, PatchFile, PatchOptions, Variables } from './patch/index.ts';
import { createInputRenderer } from './renderers/door.ts';
import type { ApplicationRendering, InputRequest, PackageRendering } from './renderers/index.ts';

/** What is rendered, and what patches make of it. */
export interface PatchedInputRequest extends InputRequest {
  /** Further paths; their objects come behind those of `path`, and from then on they are treated alike. */
  readonly morePaths?: readonly string[] | undefined;
  /** Applied to what is rendered, before filters and transformers. */
  readonly patches?: PatchSettings | undefined;
  /** How many objects may be rendered; 1,000,000 unless said. */
  readonly maxObjects?: number | undefined;
  /** Told now and then what the build is at, for whoever shows it. */
  readonly progress?: ((stage: BuildStage) => void) | undefined;
}

const usualObjects = 1_000_000;

/** What a build is at. */
export interface BuildStage {
  readonly doing: 'rendering' | 'patching' | 'checking' | 'laying out';
  /** How many it is about; of those that are rendered, how many there are so far. */
  readonly objects: number;
  /** How many of them are done, where that is counted. */
  readonly done?: number | undefined;
}

export interface PatchSettings extends Pick<PatchOptions, 'variables' | 'store' | 'trace' | 'conflicts' | 'unchanged'> {
  readonly files: readonly PatchFile[];
  /** Where the values of the variables come from, later ones win: findings about fields point there. */
  readonly layers?: readonly ParameterLayer[] | undefined;
}

export interface PatchedRenderer extends Renderer {
  /** What its last call rendered, and what patches made of that. */
  last(): PatchedRendering;
}

interface PatchedRendering {
  readonly before: readonly KubeObject[];
  readonly after: readonly KubeObject[];
  readonly changes: readonly Change[];
  /** What was found out about a patch package. */
  readonly package?: PackageRendering | undefined;
  /** What was found out about an application package. */
  readonly application?: ApplicationRendering | undefined;
}

export interface Recording {
  readonly report: Report;
  readonly budget: Budget;
  readonly origins: OriginTable;
}

/** One renderer for all paths, with the patches at its end, which look at all objects at once. */
export async function createPatchedRenderer(
  request: PatchedInputRequest,
  recording: Recording,
): Promise<PatchedRenderer> {
  const { patches } = request;
  const paths = [request.path, ...(request.morePaths ?? [])];
  // Values that patches may use are not in vain, even when what is rendered takes none.
  const values = patches === undefined ? request.values : undefined;
  let rendered: PackageRendering | undefined;
  const settings = {
    ...request.package,
    laidOver: patches?.files,
    onRendered: (rendering: PackageRendering) => void (rendered = rendering),
  };
  let composed: ApplicationRendering | undefined;
  const application = {
    ...request.application,
    onRendered: (rendering: ApplicationRendering) => void (composed = rendering),
  };
  const renderers = await tryAll(paths, (path) =>
    createInputRenderer({ ...request, path, values, package: settings, application }, recording.report),
  );
  let last: PatchedRendering = { before: [], after: [], changes: [] };

  async function process(given: Values, context: RenderContext): Promise<readonly KubeObject[]> {
    const parts = await tryAll(renderers, async (renderer) => await renderer.process(given, context));
    for (const [index, part] of parts.entries()) {
      // That every component is off was said already.
      if (part.length > 0 || composed?.input.isAllOff === true) continue;
      // A chart or kustomization may well give nothing for some values; manifests without objects are a mistake.
      const severity = renderers[index]!.name === 'manifests' ? 'error' : 'warning';
      recording.report(buildProblems.create('nothing-rendered', { path: paths[index]! }, { severity }));
    }
    const before = parts.length === 1 ? parts[0]! : parts.flat();
    const { maxObjects = usualObjects } = request;
    if (before.length > maxObjects) {
      throw new DiagnosticError([buildProblems.create('too-many-objects', { limit: maxObjects })]);
    }
    const patched =
      patches === undefined
        ? undefined
        : await patchObjects(before, withParameters(patches, rendered?.parameters ?? parametersOf(composed)), {
            ...recording,
            request,
          });
    last = {
      before,
      after: patched?.objects ?? before,
      changes: patched?.changes ?? [],
      package: rendered,
      application: composed,
    };
    return last.after;
  }

  return fresh({ name: renderers[0]!.name, process, last: () => last });
}

/** Patches that are laid over a package may use its parameters. */
function withParameters(
  patches: PatchSettings,
  parameters: Pick<Variables, 'values' | 'writtenAt' | 'hasDottedNames'> | undefined,
): PatchSettings {
  if (parameters === undefined) return patches;
  const { values, writtenAt, hasDottedNames } = parameters;
  const features = patches.variables?.features ?? {};
  const hasFeatures = Object.keys(features).length > 0 && !Object.hasOwn(values, 'features');
  const variables = { values: hasFeatures ? { ...values, features } : values, writtenAt, hasDottedNames };
  return { ...patches, variables: { scope: 'package', ...variables } };
}

function parametersOf(
  composed: ApplicationRendering | undefined,
): Pick<Variables, 'values' | 'hasDottedNames'> | undefined {
  const values = composed?.resolved.parameters?.values;
  return values === undefined
    ? undefined
    : { values: Object.fromEntries(Array.from(values, ([name, { value }]) => [name, value])), hasDottedNames: true };
}

/** Goes on after a failure, so that what is wrong with the others is told as well. */
async function tryAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  if (items.length === 1) return [await work(items[0]!)];
  const results: Result[] = [];
  const failures: unknown[] = [];
  const found: Diagnostic[] = [];
  for (const item of items) {
    try {
      results.push(await work(item));
    } catch (error) {
      const diagnostics = diagnosticsOf(error);
      if (diagnostics === undefined) throw error;
      failures.push(error);
      for (const diagnostic of diagnostics) found.push(diagnostic);
    }
  }
  if (failures.length === 0) return results;
  throw new DiagnosticError(found, { sources: failures.flatMap(sourcesOfError), cause: failures[0] });
}

async function patchObjects(
  objects: readonly KubeObject[],
  { files, store, ...settings }: PatchSettings,
  { report, origins, budget, request }: Recording & { readonly request: PatchedInputRequest },
): Promise<{ readonly objects: readonly KubeObject[]; readonly changes: readonly Change[] }> {
  // Loaded when it is needed: a plain build should not pay for reading its code.
  const { applyPatches } = await import('./patch/index.ts');
  const findings = listFindings(budget);
  request.progress?.({ doing: 'patching', objects: objects.length });
  const result = applyPatches(objects, files, {
    ...settings,
    store: store?.with(objects, (definition) => origins.get(definition)?.file ?? 'the input'),
    origins,
    report: findings.report,
    budget,
  });
  const found = findings.all();
  // Filters and transformers were written for patched objects, so without those there is nothing for them to do.
  if (found.some(({ severity }) => severity === 'error')) {
    throw new DiagnosticError(found);
  }
  found.forEach(report);
  if (objects.length > 0 && result.objects.length === 0) {
    report(buildProblems.create('nothing-kept', { count: objects.length }));
  }
  return result;
}
