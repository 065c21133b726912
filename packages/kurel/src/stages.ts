import { getOrAdd, listFindings } from './budget/index.ts';
import { buildProblems } from './build-problems.ts';
import type { BuildRequest, NameChanges, NamedTransformer, PatchSettings } from './build-request.ts';
import { DiagnosticError, diagnosticsOf, quote, sourcesOfError } from './diagnostics/index.ts';
import { applyPipeline, dataHash, postRenderers, pure, pureIfAll } from './engine/index.ts';
import { checkDnsLabel, createRename, describeObject, findBrokenMac, nameOf } from './kube/index.ts';
import { checkPhases, layOutSources, layouts } from './layout/index.ts';
import { isJsonObject, valueAt } from './model/index.ts';
import type { Awaitable, KubeObject, Origin, OutputFile, RenderContext, Report, Transformer } from './model/index.ts';
import { formatReferencePath } from './parameters/index.ts';
import {
  addStage,
  createFindParameter,
  eventOfFlag,
  joinRenderings,
  RenderingError,
  stageOfPatches,
} from './provenance/index.ts';
import type { Facts, FindParameter, FlagStep, Rendering } from './provenance/index.ts';
import { loadPolicy, renderInput } from './forms/index.ts';
import type { ValidationSettings } from './forms/index.ts';
import { formatPath } from './schema/index.ts';
import type { SchemaStore } from './schema/index.ts';
import { enforcePolicies, noPolicy, validateWithRules } from './validate/index.ts';

const usualObjects = 1_000_000;

/** All paths of a build, each with its form, as one rendering. */
export async function renderInputs(request: BuildRequest, context: RenderContext): Promise<Rendering> {
  const { path: firstPath, morePaths = [], patches, maxObjects = usualObjects } = request;
  const reason = request.namespace === undefined ? undefined : checkDnsLabel(request.namespace);
  // Rendered without an invalid namespace, to report the mistakes of the inputs as well.
  const namespace = reason === undefined ? request.namespace : undefined;
  if (reason !== undefined) {
    context.report(buildProblems.create('namespace-invalid', { namespace: quote(request.namespace!), reason }));
  }
  const settings = { ...request.package, outerPatches: patches?.files };
  const parts: Rendering[] = [];
  const failures: unknown[] = [];
  for (const path of [firstPath, ...morePaths]) {
    try {
      const part = await renderInput({ ...request, path, namespace, package: settings }, context);
      const { whenEmpty: severity = 'warning' } = part.facts;
      if (part.objects.length === 0 && severity !== 'silent') {
        context.report(buildProblems.create('nothing-rendered', { path }, { severity }));
      }
      parts.push(part);
    } catch (error) {
      // Continues, so that the mistakes of the other inputs are reported as well.
      if (diagnosticsOf(error) === undefined || morePaths.length === 0) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    const diagnostics = failures.flatMap((error) => diagnosticsOf(error) ?? []);
    throw new DiagnosticError(diagnostics, { sources: failures.flatMap(sourcesOfError), cause: failures[0] });
  }
  const rendering = joinRenderings(parts);
  if (reason !== undefined) throw new RenderingError([], rendering.facts);
  if (rendering.objects.length <= maxObjects) return rendering;
  throw new RenderingError([buildProblems.create('too-many-objects', { limit: maxObjects })], rendering.facts);
}

/** Applies the patches of `--patch`, which see all objects at once. */
export async function patchRendering(
  rendering: Rendering,
  request: BuildRequest,
  { report, origins, budget }: RenderContext,
): Promise<Rendering> {
  const { patches } = request;
  if (patches === undefined) return rendering;
  const { objects, facts, provenance } = rendering;
  request.progress?.({ doing: 'patching', objects: objects.length });
  const store = request.store?.().with(objects, fileOf(origins));
  const findings = listFindings(budget!);
  const settings = { ...patches, variables: variablesFor(patches, facts), store, origins, budget };
  // Loaded on demand: patches are a tenth of the program, and most builds have none.
  const { applyPatches } = await import('./patch/index.ts');
  const result = applyPatches(objects, patches.files, { ...settings, report: findings.report });
  const diagnostics = findings.all();
  // Filters and transformers expect patched objects.
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new DiagnosticError(diagnostics);
  diagnostics.forEach(report);
  if (objects.length > 0 && result.objects.length === 0) {
    report(buildProblems.create('nothing-kept', { count: objects.length }));
  }
  const { changes } = result;
  const inFlags = findInFlags(patches);
  const findParameter: FindParameter = (path) => facts.parameters?.find(path) ?? inFlags(path);
  const stage = stageOfPatches({ origins, objects, changes, files: patches.files, findParameter });
  const texts = () => [...stage.texts!(), ...(patches.layers ?? []).map(({ source }) => source)];
  return { objects: result.objects, facts, provenance: addStage(provenance, { ...stage, texts }) };
}

/** Names where the schema of a CustomResourceDefinition comes from. */
function fileOf(origins: RenderContext['origins']): (definition: KubeObject) => string {
  return (definition) => origins.get(definition)?.file ?? 'the input';
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
      const words = `--feature ${rest[0]}${value === false ? '=false' : ''}`;
      return value === undefined ? undefined : { name, value, words, refersTo: [] };
    }
    const source = scope === 'values' ? find(rest) : undefined;
    return source === undefined ? undefined : { ...source, name };
  };
}

export interface Transformed extends Rendering {
  /** Objects that the filters dropped. Others may refer to them. */
  readonly dropped: readonly KubeObject[];
}

/** Applies filters, new names, transformers and the order of the objects. */
export async function transformRendering(
  rendering: Rendering,
  request: BuildRequest,
  context: RenderContext,
): Promise<Transformed> {
  const { filters = [], transformers = [], order, names = {} } = request;
  const { objects: before, facts } = rendering;
  const renamers = renamersOf(before, names);
  const kept = new Set<KubeObject>();
  const { record, stage } = recordFlags(context);
  const transformed = await applyPipeline(
    before,
    {
      filters: filters.length === 0 ? [] : [...filters, pure((object) => kept.add(object).has(object))],
      transformers: [...renamers, ...transformers].map((transformer) => recorded(transformer, record)),
      postRenderers: [...(request.postRenderers ?? []), ...(order === 'apply' ? [postRenderers.applyOrder()] : [])],
    },
    context,
  );
  if (transformed.length === 0 && before.length > 0) {
    const kinds = [...new Set(before.map(({ kind }) => kind))].toSorted();
    const reason = await request.explainNothingLeft?.(before);
    context.report(buildProblems.create('nothing-left', { count: before.length, kinds, reason }));
  }
  const provenance = addStage(rendering.provenance, stage);
  const left = filters.length === 0 ? [] : before.filter((object) => !kept.has(object));
  // References to them use their new names.
  const dropped = left.map((object) => renamers.reduce((renamed, { rename }) => rename(renamed), object));
  if (names.contentHash !== true) return { objects: transformed, dropped, provenance, facts };
  const rename = createRename([...transformed, ...dropped], (object) => {
    const hash = dataHash(object);
    return hash === undefined ? nameOf(object) : `${nameOf(object)}-${hash}`;
  });
  const objects = transformed.map((object) => {
    const after = rename(object);
    const origin = context.origins.get(object);
    if (after === object || origin === undefined) return after;
    context.origins.set(after, origin);
    return record(object, { words: '--content-hash', after });
  });
  return { objects, dropped: dropped.map(rename), provenance, facts };
}

type RecordFlag = (object: KubeObject, step: FlagStep) => KubeObject;

/** Records flags as causes of the objects that they change, and the stage that consists of them. */
function recordFlags({ origins }: RenderContext) {
  const steps = new Map<Origin, FlagStep[]>();
  const noSteps = (): FlagStep[] => [];
  const record: RecordFlag = (object, step) => {
    const origin = origins.get(object);
    if (origin !== undefined) getOrAdd(steps, origin, noSteps).push(step);
    return step.after;
  };
  const stage = {
    touches: (origin: Origin) => steps.has(origin),
    eventsOf: (origin: Origin) => (steps.get(origin) ?? []).map(eventOfFlag),
  };
  return { record, stage };
}

interface Renamer extends NamedTransformer {
  readonly rename: (object: KubeObject) => KubeObject;
}

/** A prefix and a suffix as separate steps, so that each is a separate cause. */
function renamersOf(objects: readonly KubeObject[], { prefix, suffix }: NameChanges): readonly Renamer[] {
  const renamers: Renamer[] = [];
  let all = objects;
  const add = (words: string, newName: (name: string) => string): void => {
    const rename = createRename(all, (object) => newName(nameOf(object)));
    all = all.map(rename);
    renamers.push({ words, rename, transform: pure(rename) });
  };
  if (prefix !== undefined) add(`--name-prefix ${prefix}`, (name) => `${prefix}${name}`);
  if (suffix !== undefined) add(`--name-suffix ${suffix}`, (name) => `${name}${suffix}`);
  return renamers;
}

/** A transformer from a flag is recorded as a cause of its changes. */
function recorded(transformer: Transformer | NamedTransformer, record: RecordFlag): Transformer {
  if (typeof transformer === 'function') return transformer;
  const { words, sets, transform } = transformer;
  const transformAndRecord: Transformer = (object, context) => {
    const after = transform(object, context);
    const done = (value: KubeObject): KubeObject => record(object, { words, sets, after: value });
    // Synchronous work stays synchronous.
    return isPromise(after) ? after.then(done) : done(after);
  };
  return pureIfAll([transform], transformAndRecord);
}

function isPromise(value: Awaitable<KubeObject>): value is PromiseLike<KubeObject> {
  return typeof value['then'] === 'function';
}

/** An object that is encrypted with SOPS can be decrypted only as it was encrypted. */
export function checkEncrypted({ objects }: Rendering, { origins, report }: RenderContext): void {
  for (const object of objects) {
    const origin = origins.get(object);
    const before = origin?.text?.parsed ?? origin?.written;
    const path = before === undefined ? undefined : findBrokenMac(before, object);
    if (path === undefined) continue;
    const args = { object: describeObject(object), field: formatPath(path) };
    report(buildProblems.create('sops-changed', args, { subject: { object, path } }));
  }
}

/** Validates the final objects. Returns those whose kinds have no schema. */
export async function validateRendering(
  { objects: all, dropped, facts, provenance }: Transformed,
  { store, scope = 'all' }: ValidationSettings,
  { report, origins, budget, progress }: RenderContext & Pick<BuildRequest, 'progress'>,
): Promise<ReadonlySet<KubeObject>> {
  const objects = scope === 'patched' ? all.filter((object) => provenance.isTouched(object)) : all;
  const { raised = [] } = facts;
  return validateWithRules(objects, {
    store: store.with([...dropped, ...objects], fileOf(origins)),
    report: (finding) => report(raised.includes(finding.code) ? { ...finding, severity: 'error' } : finding),
    budget,
    inPackage: facts.createsNamespaces === true,
    parameters: facts.parameters?.values,
    dropped,
    isPart: scope === 'patched',
    onChecked: progress && ((done) => progress({ doing: 'checking', objects: objects.length, done })),
    namespacesElsewhere: facts.namespacesElsewhere,
  });
}

type StoreOpener = (() => SchemaStore) | undefined;

/** Checks the final objects against the policy; without one, warns about pods that have access to their node. */
export async function enforcePolicy(
  { objects, facts }: Rendering,
  { policy: path, fileSystem, application, trustedStore }: BuildRequest & { readonly trustedStore?: StoreOpener },
  { report, budget }: RenderContext,
): Promise<void> {
  if (facts.enforcePolicy !== undefined) return facts.enforcePolicy(objects, report);
  const handlers = application?.handlers;
  // Without it, a report must not say that the objects are as they should be.
  const reportUnread: Report = (finding) => report({ ...finding, check: 'policy' });
  const rules = path === undefined ? noPolicy : await loadPolicy({ fileSystem, path, handlers, budget }, reportUnread);
  if (rules === undefined) return;
  enforcePolicies(objects, { layers: [rules], store: () => trustedStore?.(), report });
}

/** Reports wrong phases of a rendering that is not laid out because of other errors. */
export function checkPhasesOf({ objects, facts }: Rendering, { report }: RenderContext): void {
  if (facts.isPhased !== true) return;
  checkPhases(objects, (finding) => {
    const { object, path } = finding.subject!;
    const value = valueAt(object, path);
    // An annotation that is not a string has already been reported.
    if (value === undefined || typeof value === 'string') report(finding);
  });
}

/** The files of a rendering. */
export function layOut(
  { objects, dropped, facts }: Transformed,
  { layout = 'stream', format = 'yaml', layoutOptions, order, validation }: BuildRequest,
  { report, origins, before }: RenderContext & { readonly before: readonly KubeObject[] },
): readonly OutputFile[] {
  if (layout === 'sources') return layOutSources({ before, objects, origins, report });
  const phased = facts.isPhased === true;
  // A stream is applied as printed, whereas the files of a directory are found by name.
  const inApplyOrder = phased && layout === 'stream' && order === undefined;
  const options = { ...layoutOptions, phased, inApplyOrder };
  const { name, kustomizationParts } = facts;
  const isPart = validation?.scope === 'patched';
  return layouts[layout]({ objects, dropped, isPart, origins, format, report, name, kustomizationParts, options });
}
