import { getOrAdd } from './budget/index.ts';
import { buildProblems } from './build-problems.ts';
import type { BuildRequest, NameChanges } from './build-request.ts';
import { DiagnosticError, diagnosticsOf, quote, sentence, setting, sourcesOfError } from './diagnostics/index.ts';
import { dataHash, Engine, fresh, postRenderers, pure } from './engine/index.ts';
import { checkDnsLabel, createRename, describeObject, findBrokenMac, nameOf } from './kube/index.ts';
import { checkPhases, layOutSources, layouts } from './layout/index.ts';
import { valueAt } from './model/index.ts';
import type {
  KubeObject,
  Message,
  NamedChange,
  Origin,
  OutputFile,
  PostRenderer,
  PreparedTransformer,
  RenderContext,
  Renderer,
  Report,
} from './model/index.ts';
import { addStage, eventOfFlag, joinRenderings, RenderingError } from './provenance/index.ts';
import type { FlagStep, Rendering } from './provenance/index.ts';
import { loadPolicy, renderInput } from './forms/index.ts';
import type { ValidationSettings } from './forms/index.ts';
import { formatPath } from './schema/index.ts';
import { patchRendering } from './patch-stage.ts';
import type { SchemaStore } from './schema/index.ts';
import { enforcePolicies, noPolicy, validateWithRules } from './validate/index.ts';

const usualObjects = 1_000_000;

/** All inputs of a build as one renderer: their objects, after the patches that see all of them. */
function createInputRenderer(request: BuildRequest, onRendered: (rendering: Rendering) => void): Renderer<Rendering> {
  return fresh({
    name: 'inputs',
    async process(_values, context) {
      const rendering = await renderInputs(request, context);
      onRendered(rendering);
      return await patchRendering(rendering, request, context);
    },
  });
}

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

export interface Transformed extends Rendering {
  /** Objects that the filters dropped. Others may refer to them. */
  readonly dropped: readonly KubeObject[];
}

/** Runs the engine: renderers and patches, then filters, new names, transformers and the order of the objects. */
export async function runEngine(
  request: BuildRequest,
  context: RenderContext,
  onRendered: (rendering: Rendering) => void,
): Promise<Transformed> {
  const { filters = [], transformers = [], postRenderers: own = [], order, names = {}, signal } = request;
  const engine = new Engine({
    renderers: [createInputRenderer(request, onRendered)],
    filters,
    transformers: [...renamersOf(names), ...transformers],
    postRenderers: [
      ...own,
      ...(order === 'apply' ? [postRenderers.applyOrder()] : []),
      ...(names.contentHash === true ? [hashNames] : []),
    ],
  });
  const { onChange, stage } = recordFlags(context);
  const { origins, report, budget } = context;
  const { objects, dropped, answers } = await engine.run({ origins, report, budget, signal, onChange });
  const [rendered] = answers;
  const { objects: before, provenance, facts } = rendered!;
  if (objects.length === 0 && before.length > 0) {
    const kinds = [...new Set(before.map(({ kind }) => kind))].toSorted();
    const reason = await request.explainNothingLeft?.(before);
    report(buildProblems.create('nothing-left', { count: before.length, kinds, reason }));
  }
  return { objects, dropped, provenance: addStage(provenance, stage), facts };
}

/** Records flags as causes of the objects that they change, and the stage that consists of them. */
function recordFlags({ origins }: RenderContext) {
  const steps = new Map<Origin, FlagStep[]>();
  const noSteps = (): FlagStep[] => [];
  const onChange = ({ words, sets, before, after }: NamedChange): void => {
    const origin = origins.get(before);
    if (origin !== undefined) getOrAdd(steps, origin, noSteps).push({ words, sets, after });
  };
  const stage = {
    touches: (origin: Origin) => steps.has(origin),
    eventsOf: (origin: Origin) => (steps.get(origin) ?? []).map(eventOfFlag),
  };
  return { onChange, stage };
}

/** A prefix and a suffix as separate steps, so that each is a separate cause. */
function renamersOf({ prefix, suffix }: NameChanges): readonly PreparedTransformer[] {
  const renamer = (words: Message, newName: (name: string) => string): PreparedTransformer => ({
    words,
    prepare: (objects) => createRename(objects, (object) => newName(nameOf(object))),
  });
  return [
    ...(prefix === undefined
      ? []
      : [renamer(sentence`${setting('namePrefix', prefix)}`, (name) => `${prefix}${name}`)]),
    ...(suffix === undefined
      ? []
      : [renamer(sentence`${setting('nameSuffix', suffix)}`, (name) => `${name}${suffix}`)]),
  ];
}

/** Names with a hash of the content, once it is final. Kept objects may refer to dropped ones. */
const hashNames: PostRenderer = pure((objects, { dropped, origins, onChange }) => {
  const rename = createRename([...objects, ...dropped], (object) => {
    const hash = dataHash(object);
    return hash === undefined ? nameOf(object) : `${nameOf(object)}-${hash}`;
  });
  const renamed = objects.map((before) => {
    const after = rename(before);
    const origin = origins.get(before);
    if (after === before || origin === undefined) return after;
    origins.set(after, origin);
    onChange?.({ words: sentence`${setting('contentHash')}`, before, after });
    return after;
  });
  return { objects: renamed, dropped: dropped.map(rename) };
});

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
    store: store.with([...dropped, ...objects], (definition) => origins.get(definition)?.file ?? 'the input'),
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
