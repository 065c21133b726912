import type { Acceptor } from './accept/index.ts';
import { reportUnpinned } from './artifact/index.ts';
import { createBudget, limitFindings } from './budget/index.ts';
import { findingsOfFailure } from './build-problems.ts';
import { checkRequest } from './build-request.ts';
import type { BuildRequest, BuildResult } from './build-request.ts';
import { allowSuggestions, DiagnosticError, sourcesOfError } from './diagnostics/index.ts';
import { createOriginTable, createRenderContext, RendererError } from './engine/index.ts';
import { memoryFileSystem } from './forms/index.ts';
import type { BuildStage, ValidationSettings } from './forms/index.ts';
import { FileAccessError } from './model/index.ts';
import type {
  Diagnostic,
  FileSystem,
  KubeObject,
  Location,
  Origin,
  OriginTable,
  OutputFile,
  RenderContext,
  Report,
  SourceFile,
} from './model/index.ts';
import { openAcceptor } from './open-acceptor.ts';
import { openSchemas } from './open-schemas.ts';
import type { OpenedSchemas } from './open-schemas.ts';
import { beginProvenance, createPlaceFinding, markSecrets, RenderingError } from './provenance/index.ts';
import type { Rendering } from './provenance/index.ts';
import { recordReads } from './reads/index.ts';
import { checkEncrypted, checkPhasesOf, enforcePolicy, layOut, runEngine, validateRendering } from './stages.ts';

/** How many findings of a code are kept to match them with acceptances for single objects. */
const mostJudged = 10_000;

/** The pipeline: render, patch, filter and transform, check, lay out. Invalid input yields diagnostics, never an exception. */
export async function build(request: BuildRequest): Promise<BuildResult> {
  const mistakes = checkRequest(request);
  // What is not a request gets a result nevertheless.
  return runPipeline(mistakes.length === 0 ? request : { path: '', fileSystem: memoryFileSystem({}) }, mistakes);
}

async function runPipeline(request: BuildRequest, mistakes: readonly Diagnostic[]): Promise<BuildResult> {
  const { budget = createBudget() } = request;
  // Without a budget, the build is a run of its own.
  if (request.budget === undefined) allowSuggestions();
  const { origins, progress, end } = watchStages(createOriginTable(), request.progress);
  const record = recordReads(request);
  const { fileSystem, programs, fetcher } = record;
  // Texts that the build does not read itself.
  for (const { source } of request.patches?.files ?? []) record.remember(source);
  if (request.stdin !== undefined) record.remember({ path: 'stdin', text: request.stdin });
  const findings = createFindings(request);
  const { report } = findings;
  let rendering: Rendering = { objects: [], provenance: beginProvenance({ origins, objects: [] }), facts: {} };
  let before: readonly KubeObject[] = [];
  let files: readonly OutputFile[] = [];
  let printed: readonly SourceFile[] = [];
  let schemas: OpenedSchemas = {};
  let isChecked = false;
  let withoutSchema: ReadonlySet<KubeObject> = new Set();
  let isComplete = false;
  try {
    if (mistakes.length > 0) throw new DiagnosticError(mistakes);
    const acceptor = await findings.openAcceptances(fileSystem);
    request.findings?.forEach(findings.addLate);
    // Stages only count the findings of a code after the first ones, and those may be the ones that are not accepted.
    const kept = acceptor?.namesObjects === true ? Math.max(budget.findings, mostJudged) : budget.findings;
    const { path, morePaths = [], signal } = request;
    for (const input of [path, ...morePaths]) reportUnpinned(request.fileSystem.packageAt?.(input)).forEach(report);
    const context = createRenderContext({ origins, report, budget: { ...budget, findings: kept }, signal });
    const contextFor = (what: Rendering, scope?: ValidationSettings['scope']): RenderContext => ({
      ...context,
      report: findings.reportAbout(what, scope),
    });
    schemas = await openSchemas({ ...request, fileSystem }, report);
    if (findings.isStopped()) throw new RenderingError([], {});
    // The request with a record of what is read.
    const recorded = { ...request, ...schemas, fileSystem, programs, fetcher, progress };
    const { validation } = recorded;

    const transformed = await runEngine(recorded, context, (rendered) => {
      rendering = rendered;
      before = rendered.objects;
    });
    rendering = transformed;
    checkEncrypted(transformed, contextFor(transformed));
    if (validation !== undefined && !findings.isStopped()) {
      isChecked = true;
      withoutSchema = await validateRendering(transformed, validation, {
        ...contextFor(transformed, validation.scope),
        progress,
      });
    }
    await enforcePolicy(transformed, recorded, contextFor(transformed));
    progress?.({ doing: 'laying out', objects: rendering.objects.length });
    if (!findings.isStopped()) files = layOut(transformed, recorded, { ...contextFor(transformed), before });
    else if (isChecked) checkPhasesOf(transformed, contextFor(transformed));
    isComplete = validation !== undefined && (request.filters ?? []).length === 0;
  } catch (thrown) {
    request.signal?.throwIfAborted();
    // The engine names its renderer, but there is only one.
    const error = thrown instanceof RendererError ? thrown.cause : thrown;
    if (error instanceof RenderingError) rendering = { ...rendering, facts: error.facts };
    findingsOfFailure(error).forEach(findings.reportAbout(rendering));
    printed = sourcesOfError(error);
  }
  rendering.facts.lateFindings?.forEach(findings.addLate);
  // Only a complete build can decide that an acceptance is unused.
  if (isComplete) findings.reportUnused();
  end();
  const { diagnostics, accepted } = findings.conclude();
  const ok = !diagnostics.some(isError);
  if (diagnostics.length + accepted.length > 0) {
    for (const text of rendering.provenance.texts()) record.remember(text);
  }
  const sources = await record.sourcesOf([...diagnostics, ...accepted.map(({ diagnostic }) => diagnostic)]);
  return {
    ok,
    files: ok ? files : [],
    objects: ok ? rendering.objects : [],
    rendering,
    store: schemas.store,
    isChecked,
    withoutSchema,
    accepted,
    diagnostics,
    sources: markSecrets([...printed, ...sources], rendering),
    reads: record.reads,
  };
}

/** The only place that handles `--strict`, acceptances and the limit: stages report and do not decide. */
function createFindings(request: BuildRequest) {
  const { budget = createBudget(), strict } = request;
  const limit = limitFindings(budget);
  const diagnostics: Diagnostic[] = [];
  const inTexts = new Set<string>();
  let acceptor: Acceptor | undefined;
  let stopped = false;
  return { report, addLate, reportAbout, isStopped: () => stopped, openAcceptances, reportUnused, conclude };

  /** Later stages cannot use the result of a stage with errors. A warning that `--strict` makes an error does not stop them. */
  function add(finding: Diagnostic): void {
    if (addLate(finding)) stopped ||= finding.severity === 'error';
  }

  /** Adds a finding that stops no stage, unless it is accepted. */
  function addLate(finding: Diagnostic): boolean {
    if (acceptor?.accepts(finding) === true) return false;
    const severity = strict === true && finding.severity === 'warning' ? 'error' : finding.severity;
    const diagnostic = { ...finding, severity };
    if (limit.takes(diagnostic)) diagnostics.push(diagnostic);
    return true;
  }

  function report(finding: Diagnostic): void {
    if (finding.location !== undefined) inTexts.add(keyOf(finding, finding.location));
    add(finding);
  }

  /** Reports findings about fields of objects at the lines that set the fields. */
  function reportAbout(rendering: Rendering, scope?: ValidationSettings['scope']): Report {
    const place = createPlaceFinding(rendering.provenance, scope);
    return (finding) => {
      const placed = place(finding);
      if (placed === undefined || rendering.facts.isConsequence?.(placed) === true) return;
      // If a form has checked a text, it has already reported the mistakes that its objects inherit.
      if (placed.location === undefined || !inTexts.has(keyOf(finding, placed.location))) add(placed);
    };
  }

  /** Reads the acceptances. If they are wrong, nothing is accepted. */
  async function openAcceptances(fileSystem: FileSystem): Promise<Acceptor | undefined> {
    try {
      acceptor = await openAcceptor(request, { fileSystem, report });
    } catch (error) {
      // The form reports an input that cannot be read.
      if (error instanceof FileAccessError) throw error;
      findingsOfFailure(error).forEach(addLate);
    }
    return acceptor;
  }

  function reportUnused(): void {
    if (!diagnostics.some(isError)) acceptor?.unused().forEach(report);
  }

  function conclude() {
    for (const omitted of limit.omitted()) diagnostics.push(omitted);
    return { diagnostics, accepted: acceptor?.accepted() ?? [] };
  }
}

function keyOf({ code, message }: Diagnostic, location: Location): string {
  return JSON.stringify([code, message, location]);
}

/**
 * Counts objects through their origins, because every rendered object gets one. All stages look up origins, so the current one is
 * repeated from there. Origins are still looked up after the build, so it has to be ended.
 */
function watchStages(origins: OriginTable, progress: BuildRequest['progress']) {
  if (progress === undefined) return { origins, progress, end: () => undefined };
  const counted = new WeakSet<Origin>();
  let [objects, lookups] = [0, 0];
  let stage: BuildStage | undefined = { doing: 'rendering', objects };
  const enter = (next: BuildStage): void => {
    stage = next;
    progress(next);
  };
  return {
    progress: enter,
    end: () => void (stage = undefined),
    origins: {
      get(object: KubeObject) {
        lookups += 1;
        if (lookups % 64 === 0 && stage !== undefined) progress(stage);
        return origins.get(object);
      },
      set(object: KubeObject, origin: Origin) {
        origins.set(object, origin);
        if (counted.has(origin)) return;
        counted.add(origin);
        objects += 1;
        if (objects % 16 === 0) enter({ doing: 'rendering', objects });
      },
    },
  };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
