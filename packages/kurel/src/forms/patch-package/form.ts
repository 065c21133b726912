import { createBudget, listFindings } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { deepMerge, defineRenderer } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions } from '../../engine/index.ts';
import type {
  Diagnostic,
  KubeObject,
  Origin,
  OriginTable,
  RenderContext,
  Rendered,
  Renderer,
  Values,
} from '../../model/index.ts';
import { layersOfData, parseReferencePath } from '../../parameters/index.ts';
import {
  beginProvenance,
  causesOfText,
  createFindParameter,
  groupBy,
  once,
  placeOf,
  removalsIn,
  RenderingError,
  stageOfPatches,
  traceParameters,
} from '../../provenance/index.ts';
import type { CausesOf, FindParameter, ObjectHistory, Provenance, Rendering } from '../../provenance/index.ts';
import type { InputRequest, OwnValuesRequest, PackageSettings } from '../form-types.ts';
import { pathInside } from '../paths.ts';
import { placeInNamespace, putInNamespace } from '../begin-rendering.ts';
import { checkParameters, checkReferences, createIsConsequence } from './check-package.ts';
import { checkUnusedParameters, examinePackage } from './examine-package.ts';
import type { ExaminationRequest } from './examine-package.ts';
import { loadPatchPackage } from './load-patch-package.ts';
import type { PackageFacts, PackageParameters, PackageRendering } from './patch-package.ts';
import { isConflict, renderPackage } from './render-package.ts';
import type { PackageOptions } from './render-package.ts';
import { listSecretWords } from './static-secrets.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, store, namespace, validation, values = {} } = request;
  const source = { fileSystem, path, store, namespace, validation, ...request.package };
  const result = await renderPatchPackage(source, values, context);
  const { parameters, excluded } = result;
  const rendering: Rendering = {
    objects: result.objects,
    provenance: packageProvenance(result, context.origins),
    facts: {
      ...result.facts,
      name: result.package.metadata.name,
      isPhased: true,
      createsNamespaces: true,
      namespacesElsewhere: excluded,
      parameters: { values: parameters.values, writtenAt: parameters.writtenAt, find: findInPackage(parameters) },
    },
  };
  return placeInNamespace(rendering, { namespace, which: 'all' }, context);
}

/** Parameters of the package and its local extension. */
export async function readOwnValues(request: OwnValuesRequest): Promise<Values | undefined> {
  const { path, fileSystem, package: { local, limits } = {} } = request;
  const pkg = await loadPatchPackage({ path, fileSystem, local, limits }, () => undefined);
  return pkg?.layers.reduce<Values>((below, { data }) => deepMerge(below, data), {});
}

/** Examines and renders a package; all findings are thrown together if one of them is an error other than a late one. */
async function renderPatchPackage(
  source: PatchPackageSource & Pick<InputRequest, 'validation'> & Pick<PackageSettings, 'schema'>,
  values: Values,
  { origins, report, budget = createBudget() }: RenderContext,
): Promise<PackageRendering & { readonly facts: PackageFacts }> {
  const read = await examinePackage({ ...source, values, budget });
  const unused: Diagnostic[] = [];
  // Files that could not be read may use the parameters.
  if (read.package !== undefined && !read.found.load.some(({ severity }) => severity === 'error')) {
    const { layers = layersOfData(values), outerPatches: patches } = source;
    await checkUnusedParameters(read.package, { layers, patches, report: (finding) => void unused.push(finding) });
  }
  const examined = { ...read, found: { ...read.found, parameters: [...read.found.parameters, ...unused] } };
  const refusals: Diagnostic[] = [];
  const refused =
    source.validation &&
    (await checkParameters(examined, {
      ...source.schema,
      store: source.validation.store,
      report: (finding) => void refusals.push(finding),
      budget,
    }));
  const isConsequence = createIsConsequence(examined, refused ?? []);
  const { report: reportFinding, all } = listFindings(budget);
  const { load, parameters, plan } = examined.found;
  const early = [...ofCheck('structure', load), ...ofCheck('parameters', parameters), ...ofCheck('dependencies', plan)];
  for (const diagnostic of early) if (!isConflict(diagnostic)) reportFinding(diagnostic);
  const { namespace, trace } = source;
  const settings = { origins, store: source.store?.(), namespace, trace, budget };
  const { rendering, applied } = renderPackage(examined, { ...settings, report: reportFinding });
  const facts: PackageFacts = { examined: { ...examined, applied, refused }, isConsequence };
  const references = source.validation === undefined ? [] : checkReferences(facts.examined, budget);
  const late = [...early.filter(isConflict), ...ofCheck('variables', references), ...ofCheck('parameters', refusals)];
  const findings = all().filter((diagnostic) => !isConsequence(diagnostic));
  if (rendering === undefined) {
    const secretWords = listSecretWords(examined, settings.store);
    throw new RenderingError([...findings, ...late], { ...facts, secretWords });
  }
  for (const diagnostic of findings) report(diagnostic);
  return { ...rendering, facts: late.length === 0 ? facts : { ...facts, lateFindings: late } };
}

function ofCheck(check: string, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, check }));
}

export interface PatchPackageSource
  extends
    Omit<ExaminationRequest, 'values'>,
    SourceOptions<PatchPackageSource>,
    Pick<PackageOptions, 'namespace' | 'trace'> {
  /** Created on demand. */
  readonly store?: (() => NonNullable<PackageOptions['store']>) | undefined;
}

/** Renders patch packages. Values of the render override those of the package, unless the source has layers of its own. */
export function patchPackageRenderer(
  sources: PatchPackageSource | readonly PatchPackageSource[],
  options: RendererOptions = {},
): Renderer<Rendered> {
  return defineRenderer<PatchPackageSource>({
    name: 'patch-package',
    sources,
    options,
    describe: ({ path }) => path,
    pathOf: ({ path }) => path,
    fileOf: ({ path }, file) => pathInside(path, file),
    async render(source, values, context) {
      const { namespace } = source;
      const { objects, facts } = await renderPatchPackage(source, values, context);
      const { lateFindings } = facts;
      return {
        objects: namespace === undefined ? objects : putInNamespace(objects, { namespace, which: 'all' }, context),
        check() {
          if (lateFindings !== undefined) throw new DiagnosticError(lateFindings);
        },
      };
    },
  });
}

/** Provenance of the objects of a patch package: texts with parameters, then patches. */
function packageProvenance(result: PackageRendering, origins: OriginTable): Provenance {
  const { base, generated, references, changes, plan, parameters } = result;
  const findParameter = findInPackage(parameters);
  const patches = stageOfPatches({
    origins,
    objects: [...base, ...generated],
    changes,
    files: plan.enabled.map(({ patch }) => patch.file),
    findParameter,
  });
  const startOf = once(() => new Map([...base, ...generated].map((object) => [origins.get(object), object])));
  const isGenerated = new Set(generated);
  const referencesOf = once(() => groupBy(references, ({ object }) => object));

  function beginningOf(origin: Origin, start: KubeObject): Omit<ObjectHistory, 'events'> {
    if (isGenerated.has(start)) return { start, causesOf: causesOfNamespace(findParameter) };
    const fills = (referencesOf().get(start) ?? []).flatMap(({ path, parameter }) => {
      const steps = parseReferencePath(parameter);
      return steps === undefined ? [] : [{ path, parameter: steps }];
    });
    const parsed = origin.text?.parsed ?? start;
    return { start, causesOf: causesOfText({ ...placeOf(origin), parsed, filled: start, fills, findParameter }) };
  }

  return beginProvenance({
    origins,
    objects: result.objects,
    historyOf(origin) {
      const start = startOf().get(origin);
      return start === undefined ? undefined : { ...beginningOf(origin, start), events: patches.eventsOf(origin) };
    },
    texts: () => [...patches.texts!(), ...parameters.layers.map(({ source }) => source)],
    removed: () => removalsIn(changes),
  });
}

/** In the patches of a package, `values.x` and `features.x` are aliases of `x`. */
function findInPackage(parameters: PackageParameters): FindParameter {
  const find = createFindParameter(parameters);
  return (path) => {
    const [first] = path;
    const isAlias = (first === 'values' || first === 'features') && !Object.hasOwn(parameters.values, first);
    return find(isAlias ? path.slice(1) : path);
  };
}

const createSetting = ['global', 'namespaces', 'create'];

/** A generated Namespace has the global labels and annotations. */
function causesOfNamespace(find: FindParameter): CausesOf {
  return (path) => {
    const [field, group, key] = path;
    const isShared = field === 'metadata' && path.length === 3;
    const shared = isShared ? traceParameters([['global', group!, key!]], find) : [];
    const parameters = shared.length > 0 ? shared : traceParameters([createSetting], find);
    return [{ kind: 'generated', words: 'created for the objects in it', parameters, isExplicit: true }];
  };
}
