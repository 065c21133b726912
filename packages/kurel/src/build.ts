import { buildProblems } from './build-problems.ts';
import { diagnosticsOf, quote } from './diagnostics/index.ts';
import {
  createOriginTable,
  Engine,
  FilterError,
  messageOf,
  postRenderers,
  pure,
  TransformerError,
} from './engine/index.ts';
import { checkDnsLabel, describeObject } from './kube/index.ts';
import { layOutFlat, layOutStream } from './layout/index.ts';
import type { OutputFormat } from './layout/index.ts';
import { FileAccessError } from './model/index.ts';
import type {
  Diagnostic,
  FileSystem,
  Filter,
  KubeObject,
  Location,
  MetricsSink,
  OriginTable,
  OutputFile,
  PostRenderer,
  ProgramRunner,
  Report,
  SourceFile,
  Transformer,
  Values,
} from './model/index.ts';
import { createInputRenderer, rememberTexts } from './renderers/index.ts';
import type { ChartSettings, InputForm, KustomizationSettings } from './renderers/index.ts';

/** What to build, from where, and how. Nothing is read but what `fileSystem`, `programs` and `stdin` give. */
export interface BuildRequest {
  /** A path or pattern in `fileSystem`, or `-` for `stdin`. */
  readonly path: string;
  readonly fileSystem: FileSystem;
  /** Needed for charts and kustomizations. */
  readonly programs?: ProgramRunner | undefined;
  readonly stdin?: string | undefined;
  /** What `path` is, when it could be two things. */
  readonly as?: InputForm | undefined;
  readonly values?: Values | undefined;
  /** Every namespaced object is put here; of a chart only those that name no namespace of their own. */
  readonly namespace?: string | undefined;
  readonly filters?: readonly Filter[] | undefined;
  readonly transformers?: readonly Transformer[] | undefined;
  readonly postRenderers?: readonly PostRenderer[] | undefined;
  readonly order?: 'source' | 'apply' | undefined;
  /** One stream (the default), or one file an object. */
  readonly layout?: 'stream' | 'flat' | undefined;
  readonly format?: OutputFormat | undefined;
  readonly chart?: ChartSettings | undefined;
  readonly kustomization?: KustomizationSettings | undefined;
  readonly allowNetwork?: boolean | undefined;
  /** Warnings are errors. */
  readonly strict?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly metrics?: MetricsSink | undefined;
}

export interface BuildResult {
  /** Whether there are no errors. When there are, `files` and `objects` are empty: a build gives all or nothing. */
  readonly ok: boolean;
  readonly files: readonly OutputFile[];
  readonly objects: readonly KubeObject[];
  readonly origins: OriginTable;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into. */
  readonly sources: readonly SourceFile[];
}

/** The hallway: input → renderer → engine → layout. Bad input gives diagnostics, never an exception. */
export async function build(request: BuildRequest): Promise<BuildResult> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => {
    const severity = request.strict === true && diagnostic.severity === 'warning' ? 'error' : diagnostic.severity;
    diagnostics.push({ ...diagnostic, severity });
  };
  const origins = createOriginTable();
  const given = request.stdin === undefined ? [] : [{ path: 'stdin', text: request.stdin }];
  const texts = rememberTexts(request.fileSystem, given);
  let objects: readonly KubeObject[] = [];
  let files: readonly OutputFile[] = [];
  try {
    objects = await renderObjects({ ...request, fileSystem: texts.fileSystem }, { report, origins });
    if (!hasErrors(diagnostics)) {
      const layOut = request.layout === 'flat' ? layOutFlat : layOutStream;
      files = layOut({ objects, origins, format: request.format ?? 'yaml', report });
    }
  } catch (error) {
    request.signal?.throwIfAborted();
    for (const diagnostic of findingsOf(error, origins)) report(diagnostic);
  }
  const ok = !hasErrors(diagnostics);
  const sources = await texts.sourcesOf(diagnostics);
  return { ok, files: ok ? files : [], objects: ok ? objects : [], origins, diagnostics, sources };
}

interface Recording {
  readonly report: Report;
  readonly origins: OriginTable;
}

async function renderObjects(request: BuildRequest, { report, origins }: Recording): Promise<readonly KubeObject[]> {
  const { namespace, order, signal, metrics, filters = [], transformers = [] } = request;
  const reason = namespace === undefined ? undefined : checkDnsLabel(namespace);
  if (namespace !== undefined && reason !== undefined) {
    report(buildProblems.create('namespace-invalid', { namespace: quote(namespace), reason }));
    return [];
  }
  const renderer = await createInputRenderer(request, report);
  if (renderer === undefined) return [];
  const rendered: KubeObject[] = [];
  const seen = pure((object: KubeObject) => rendered.push(object) > 0);
  const engine = new Engine({
    renderers: [renderer],
    filters: [seen, ...filters],
    transformers,
    postRenderers: [...(request.postRenderers ?? []), ...(order === 'apply' ? [postRenderers.applyOrder()] : [])],
  });
  const objects = await engine.render({ values: request.values ?? {}, origins, report, signal, metrics });
  if (objects.length === 0 && rendered.length > 0) {
    const kinds = [...new Set(rendered.map(({ kind }) => kind))].toSorted();
    report(buildProblems.create('nothing-left', { count: rendered.length, kinds }));
  }
  return objects;
}

/** What a failure says about the input; a failure that says nothing about it is a defect and is thrown on. */
function findingsOf(error: unknown, origins: OriginTable): readonly Diagnostic[] {
  const found = diagnosticsOf(error);
  if (found !== undefined) return found;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FilterError || cause instanceof TransformerError) {
      const code = cause instanceof FilterError ? 'filter-failed' : 'transformer-failed';
      const args = { object: describeObject(cause.object), reason: messageOf(cause.cause) };
      return [buildProblems.create(code, args, { location: locationOf(cause.object, origins) })];
    }
    if (cause instanceof FileAccessError) {
      return [buildProblems.create('file-access', { reason: cause.message }, { location: { file: cause.path } })];
    }
  }
  throw error;
}

function locationOf(object: KubeObject, origins: OriginTable): Location | undefined {
  const text = origins.get(object)?.text;
  return text === undefined ? undefined : { file: text.source.path, document: text.document, path: text.path ?? [] };
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
