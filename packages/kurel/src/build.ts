import type { Acceptance, Acceptor } from './accept/index.ts';
import { createBudget, limitFindings } from './budget/index.ts';
import { buildProblems } from './build-problems.ts';
import { causesOf, diagnosticsOf, quote, sourcesOfError } from './diagnostics/index.ts';
import {
  createOriginTable,
  Engine,
  FilterError,
  JqError,
  messageOf,
  postRenderers,
  pure,
  TransformerError,
} from './engine/index.ts';
import { checkDnsLabel, describeObject, locateObject } from './kube/index.ts';
import { layOutSources, layouts } from './layout/index.ts';
import type { LayoutName, LayoutOptions, OutputFormat } from './layout/index.ts';
import { FileAccessError } from './model/index.ts';
import type {
  AcceptedFinding,
  Diagnostic,
  Filter,
  KubeObject,
  MetricsSink,
  Origin,
  OriginTable,
  OutputFile,
  PostRenderer,
  SourceFile,
  Transformer,
} from './model/index.ts';
import type { Change } from './patch/index.ts';
import { openAcceptor } from './open-acceptor.ts';
import { createPatchedRenderer } from './render-input.ts';
import type { BuildStage, PatchedInputRequest, Recording } from './render-input.ts';
import { loadPolicy, rememberTexts } from './renderers/door.ts';
import type { ApplicationRendering, PackageRendering } from './renderers/index.ts';
import type { SchemaStore } from './schema/index.ts';
import { watchPlaces } from './watch-places.ts';
import type { WatchedPlaces } from './watch-places.ts';

/** What to build, from where, and how. Nothing is read but what `fileSystem`, `programs` and `stdin` give. */
export interface BuildRequest extends PatchedInputRequest {
  readonly filters?: readonly Filter[] | undefined;
  /** Asked when the filters keep none of some objects: what to do about it, for the hint. */
  readonly explainNothingLeft?: ((objects: readonly KubeObject[]) => Promise<string | undefined>) | undefined;
  readonly transformers?: readonly Transformer[] | undefined;
  readonly postRenderers?: readonly PostRenderer[] | undefined;
  readonly order?: 'source' | 'apply' | undefined;
  /** One stream unless said; `sources` gives the files that were read with nothing but the changes in them. */
  readonly layout?: LayoutName | 'sources' | undefined;
  readonly layoutOptions?: LayoutOptions | undefined;
  readonly format?: OutputFormat | undefined;
  /**
   * Validates the objects before they are laid out, with CustomResourceDefinitions among them taken into account. Without it nothing
   * is validated; `kurel build` and `kurel validate` both set it.
   */
  readonly validation?: ValidationSettings | undefined;
  /** Schemas without those that the package brings itself. A policy takes scopes from them. Defaults to all schemas. */
  readonly trustedStore?: SchemaStore | undefined;
  /** Findings to accept, beyond those in the files next to what is built. */
  readonly acceptances?: readonly Acceptance[] | undefined;
  /** Takes the place of both, for callers with findings of their own, who then report what it has left unused. */
  readonly acceptor?: Acceptor | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly metrics?: MetricsSink | undefined;
}

export interface ValidationSettings {
  readonly store: SchemaStore;
  /** `patched` reports only mistakes in fields that patches set, for callers that build a part of what runs in a cluster. */
  readonly scope?: 'all' | 'patched' | undefined;
}

export interface BuildResult {
  /** Whether there are no errors. When there are, `files` and `objects` are empty: a build gives all or nothing. */
  readonly ok: boolean;
  readonly files: readonly OutputFile[];
  readonly objects: readonly KubeObject[];
  /** The objects that were validated, whatever was found. */
  readonly checked: readonly KubeObject[];
  /** Findings that were accepted; `diagnostics` has the others. */
  readonly accepted: readonly AcceptedFinding[];
  /** What was rendered, before patches, filters and transformers. */
  readonly rendered: readonly KubeObject[];
  /** What the patches did. */
  readonly changes: readonly Change[];
  /** What was found out about a patch package. */
  readonly package?: PackageRendering | undefined;
  /** What was found out about an application package. */
  readonly application?: ApplicationRendering | undefined;
  readonly origins: OriginTable;
  readonly diagnostics: readonly Diagnostic[];
  /** Takes further findings about the objects to the lines that made their fields what they are. */
  readonly placeAtCauses: (diagnostics: readonly Diagnostic[]) => Promise<readonly Diagnostic[]>;
  /** The texts that diagnostics point into. */
  readonly sources: readonly SourceFile[];
}

/** How many findings of a code are looked at for acceptances of single objects. */
const mostJudged = 10_000;

/** The hallway: input → renderer → engine → layout. Bad input gives diagnostics, never an exception. */
export async function build(request: BuildRequest): Promise<BuildResult> {
  const { budget = createBudget() } = request;
  const limit = limitFindings(budget);
  const diagnostics: Diagnostic[] = [];
  let acceptor: Acceptor | undefined;
  // The only place that knows of --strict and of acceptances: stages report, and decide nothing.
  const report = (diagnostic: Diagnostic): void => {
    if (acceptor?.accepts(diagnostic) === true) return;
    const severity = request.strict === true && diagnostic.severity === 'warning' ? 'error' : diagnostic.severity;
    const finding = { ...diagnostic, severity };
    if (limit.takes(finding)) diagnostics.push(finding);
  };
  const { progress } = request;
  const origins = progress === undefined ? createOriginTable() : countOrigins(createOriginTable(), progress);
  const given = request.stdin === undefined ? [] : [{ path: 'stdin', text: request.stdin }];
  const patchTexts = request.patches?.files.map(({ source }) => source) ?? [];
  const texts = rememberTexts(request.fileSystem, [...patchTexts, ...given]);
  let objects: readonly KubeObject[] = [];
  let rendered: readonly KubeObject[] = [];
  let changes: readonly Change[] = [];
  let found: PackageRendering | undefined;
  let application: ApplicationRendering | undefined;
  let files: readonly OutputFile[] = [];
  let printed: readonly SourceFile[] = [];
  const places = watchPlaces(origins);
  let placeAtCauses: BuildResult['placeAtCauses'] = async (given) => given;
  try {
    acceptor = request.acceptor ?? (await openAcceptor(request, { ...texts, report }));
    // Stages count what comes after the first findings of a code, and those may be the ones that are not accepted.
    const findings = acceptor?.namesObjects === true ? Math.max(budget.findings, mostJudged) : budget.findings;
    const staged = { ...budget, findings };
    const recording = { report, origins, budget: staged };
    const rendering = await renderObjects({ ...request, fileSystem: texts.fileSystem }, recording);
    ({ objects, before: rendered, changes, package: found, application } = rendering);
    application?.input.sources?.forEach(({ name, text }) => texts.remember({ path: name, text }));
    // What flags change must keep to the policy as well.
    application?.inspect(objects, report, changes);
    placeAtCauses = (given) => moveToCauses(given, { rendering, request, places, scope: 'all' });
    const placeNew = async (start: number, scope: ValidationSettings['scope'] = 'all'): Promise<void> => {
      const placed = await moveToCauses(diagnostics.splice(start), { rendering, request, places, scope });
      for (const one of dropRepeated(placed, diagnostics)) diagnostics.push(one);
    };
    if (request.validation !== undefined && !hasErrors(diagnostics)) {
      const start = diagnostics.length;
      const { validation, namespace } = request;
      await checkObjects(rendering, validation, { ...recording, origins: places.origins, progress, namespace });
      await placeNew(start, validation.scope);
    }
    // An application has been inspected with the rules of its own policies.
    if (application === undefined) {
      const start = diagnostics.length;
      const inspected = { ...request, fileSystem: texts.fileSystem };
      await inspectObjects(objects, inspected, { ...recording, origins: places.origins });
      await placeNew(start);
    }
    progress?.({ doing: 'laying out', objects: objects.length });
    const start = diagnostics.length;
    if (!hasErrors(diagnostics)) files = layOut(rendering, request, recording);
    await placeNew(start);
    // Only a complete build can say that an acceptance matches nothing.
    const isComplete = request.validation !== undefined && (request.filters ?? []).length === 0;
    if (request.acceptor === undefined && isComplete && !hasErrors(diagnostics)) acceptor?.unused().forEach(report);
  } catch (error) {
    request.signal?.throwIfAborted();
    for (const diagnostic of findingsOf(error, origins)) report(diagnostic);
    printed = sourcesOfError(error);
  }
  for (const omitted of limit.omitted()) diagnostics.push(omitted);
  const ok = !hasErrors(diagnostics);
  const accepted = acceptor?.accepted() ?? [];
  const shown = [...diagnostics, ...accepted.map(({ diagnostic }) => diagnostic)];
  const sources = [...printed, ...(await texts.sourcesOf(shown))];
  const checked = request.validation === undefined ? [] : objects;
  return {
    ok,
    files: ok ? files : [],
    objects: ok ? objects : [],
    checked,
    accepted,
    rendered: ok ? rendered : [],
    changes: ok ? changes : [],
    package: found,
    application,
    origins,
    diagnostics,
    placeAtCauses,
    sources,
  };
}

interface Causes {
  readonly rendering: Rendering;
  readonly request: BuildRequest;
  readonly places: WatchedPlaces;
  readonly scope: 'all' | 'patched';
}

async function moveToCauses(
  diagnostics: readonly Diagnostic[],
  { rendering, request, places, scope }: Causes,
): Promise<readonly Diagnostic[]> {
  const { objects, before, after, changes, package: found, application } = rendering;
  const isMade = found !== undefined || changes.length > 0 || (application?.changes.length ?? 0) > 0;
  if (diagnostics.length === 0) return diagnostics;
  if (!isMade) return scope === 'patched' ? [] : diagnostics;
  // Loaded when it is needed: a build that finds nothing should not pay for reading its code.
  const { placeAtCauses } = await import('./place-at-causes.ts');
  const { namespace, patches, validation, store = validation && (() => validation.store) } = request;
  const result = { origins: places.unwatched, package: found, application, changes };
  const layers = patches?.layers ?? [];
  const record = { result, rendered: before, patched: after, stepsOf: () => [], namespace, patches, store, layers };
  return placeAtCauses(diagnostics, record, { fieldOf: places.createFieldOf(objects), scope });
}

/** What is wrong with a property is wrong with the object that has it as well, and is told once, where it was written. */
function dropRepeated(found: readonly Diagnostic[], before: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyOf = ({ code, severity, location }: Diagnostic): string => JSON.stringify([code, severity, location]);
  const told = new Set(before.flatMap((one) => (one.location === undefined ? [] : [keyOf(one)])));
  return told.size === 0 ? found : found.filter((one) => !told.has(keyOf(one)));
}

/** Whatever is rendered gets an origin, so that is where objects can be counted. */
function countOrigins(origins: OriginTable, progress: (stage: BuildStage) => void): OriginTable {
  const counted = new WeakSet<Origin>();
  let objects = 0;
  return {
    get: (object) => origins.get(object),
    set(object, origin) {
      if (!counted.has(origin)) objects += 1;
      counted.add(origin);
      if (objects % 16 === 0) progress({ doing: 'rendering', objects });
      origins.set(object, origin);
    },
  };
}

interface Rendering {
  readonly objects: readonly KubeObject[];
  /** As they were rendered. */
  readonly before: readonly KubeObject[];
  /** As patches left them, before filters and transformers. */
  readonly after: readonly KubeObject[];
  /** Those of `after` that the filters dropped. */
  readonly dropped: readonly KubeObject[];
  readonly changes: readonly Change[];
  readonly package?: PackageRendering | undefined;
  readonly application?: ApplicationRendering | undefined;
}

async function renderObjects(request: BuildRequest, recording: Recording): Promise<Rendering> {
  const { namespace, order, signal, metrics, filters = [], transformers = [] } = request;
  const { report, origins, budget } = recording;
  const reason = namespace === undefined ? undefined : checkDnsLabel(namespace);
  if (namespace !== undefined && reason !== undefined) {
    report(buildProblems.create('namespace-invalid', { namespace: quote(namespace), reason }));
    return { objects: [], before: [], after: [], dropped: [], changes: [] };
  }
  // Patches take types from where the validation takes them, unless they have a store of their own.
  const { patches: given, validation } = request;
  const patches = given === undefined ? undefined : { ...given, store: given.store ?? validation?.store };
  const store = request.store ?? (validation === undefined ? undefined : () => validation.store);
  const renderer = await createPatchedRenderer({ ...request, patches, store }, recording);
  const kept = new Set<KubeObject>();
  const engine = new Engine({
    renderers: [renderer],
    filters: filters.length === 0 ? [] : [...filters, pure((object) => kept.add(object).has(object))],
    transformers,
    postRenderers: [...(request.postRenderers ?? []), ...(order === 'apply' ? [postRenderers.applyOrder()] : [])],
  });
  const objects = await engine.render({ values: request.values ?? {}, origins, report, budget, signal, metrics });
  const { before, after, changes, package: found, application } = renderer.last();
  if (objects.length === 0 && after.length > 0) {
    const kinds = [...new Set(after.map(({ kind }) => kind))].toSorted();
    const reason = await request.explainNothingLeft?.(after);
    report(buildProblems.create('nothing-left', { count: after.length, kinds, reason }));
  }
  const dropped = filters.length === 0 ? [] : after.filter((object) => !kept.has(object));
  return { objects, before, after, dropped, changes, package: found, application };
}

/** Holds the final objects against the policy; without one, warns of pods that give access to their node. */
async function inspectObjects(
  objects: readonly KubeObject[],
  { policy: path, fileSystem, application, store, validation, trustedStore }: BuildRequest,
  { report, origins }: Recording,
): Promise<void> {
  const { enforcePolicies, noPolicy } = await import('./validate/index.ts');
  const handlers = application?.handlers;
  const rules = path === undefined ? noPolicy : await loadPolicy({ fileSystem, path, handlers }, report);
  if (rules === undefined) return;
  const trusted = (): SchemaStore | undefined => trustedStore ?? validation?.store ?? store?.();
  enforcePolicies(objects, { layers: [rules], store: trusted, origins, report });
}

/** Loaded when it is needed: a build without validation should not pay for reading its code. */
async function checkObjects(
  rendering: Rendering,
  { store, scope = 'all' }: ValidationSettings,
  { report, origins, budget, progress, namespace }: Recording & Pick<BuildRequest, 'progress' | 'namespace'>,
): Promise<void> {
  const { dropped, package: found, application } = rendering;
  const objects = scope === 'patched' ? findPatched(rendering, origins) : rendering.objects;
  const { loadRulesFor, validateObjects } = await import('./validate/index.ts');
  validateObjects(objects, {
    store: store.with([...dropped, ...objects], (definition) => origins.get(definition)?.file ?? 'the input'),
    origins,
    report,
    rules: await loadRulesFor(objects, budget),
    budget,
    inPackage: found !== undefined,
    dropped,
    isPart: scope === 'patched',
    onChecked: progress && ((done) => progress({ doing: 'checking', objects: objects.length, done })),
    // An application is built for a namespace that the platform has, as is what delivers it.
    namespacesElsewhere: [
      ...(application === undefined ? [] : [application.namespace, application.deliveryNamespace]),
      ...(found?.excluded ?? (namespace === undefined ? [] : [namespace])),
    ],
  });
}

/** The objects that patches changed. */
function findPatched({ objects, before, changes }: Rendering, origins: OriginTable): readonly KubeObject[] {
  const patched = new Set(changes.map(({ index }) => origins.get(before[index]!)));
  return objects.filter((object) => patched.has(origins.get(object)));
}

function layOut(
  { objects, before, dropped, package: found, application }: Rendering,
  { layout = 'stream', format = 'yaml', layoutOptions }: BuildRequest,
  { report, origins }: Recording,
): readonly OutputFile[] {
  if (layout === 'sources') return layOutSources({ before, objects, origins, report });
  // Objects of a package are applied phase by phase, so that is how they are printed.
  const options = { ...layoutOptions, phased: found !== undefined };
  return layouts[layout]({
    objects,
    dropped,
    origins,
    format,
    report,
    name: found?.package.metadata.name ?? application?.name,
    options,
  });
}

/** What a failure says about the input; a failure that says nothing about it is a defect and is thrown on. */
function findingsOf(error: unknown, origins: OriginTable): readonly Diagnostic[] {
  const found = diagnosticsOf(error);
  if (found !== undefined) return found;
  for (const cause of causesOf(error)) {
    if (cause instanceof FilterError || cause instanceof TransformerError) {
      const code = cause instanceof FilterError ? 'filter-failed' : 'transformer-failed';
      const hint = cause.cause instanceof JqError ? cause.cause.hint : undefined;
      const args = { object: describeObject(cause.object), reason: messageOf(cause.cause), hint };
      return [buildProblems.create(code, args, { location: locateObject(cause.object, origins) })];
    }
    if (cause instanceof FileAccessError) {
      return [buildProblems.create('file-access', { reason: cause.message }, { location: { file: cause.path } })];
    }
  }
  throw error;
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
