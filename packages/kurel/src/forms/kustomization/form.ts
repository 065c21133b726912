import { DiagnosticError } from '../../diagnostics/index.ts';
import { defineRenderer } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions } from '../../engine/index.ts';
import { annotationsOf, isSopsEncrypted, textAt, withoutAnnotations } from '../../kube/index.ts';
import { canonicalJson, isJsonObject, ProgramError } from '../../model/index.ts';
import type {
  FileSystem,
  KubeObject,
  Location,
  ProgramCall,
  ProgramResult,
  ProgramRunner,
  RenderContext,
  Rendered,
  Renderer,
  Values,
} from '../../model/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import { readYaml, writeYaml } from '../../yaml/index.ts';
import { readPrinted } from '../read-objects.ts';
import type { InputRequest } from '../form-types.ts';
import { asLocalPath, isBlank, joinPath, normalisePath, relativePath } from '../paths.ts';
import { beginRendering } from '../begin-rendering.ts';
import { noPrograms, runProgram } from '../run-program.ts';
import { asksForOrigins, copyKustomization } from './copy-kustomization.ts';
import { kustomizeProblems } from './problems.ts';
import { listReferences, scanKustomization } from './scan-kustomization.ts';
import type { Kustomization } from './scan-kustomization.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, namespace, values = {}, programs = noPrograms, kustomization = {} } = request;
  const { loadRestrictions = 'root' } = kustomization;
  const options = { values, fileSystem, programs, allowNetwork: request.allowNetwork === true };
  const { objects, kustomizations } = await renderSource({ path, loadRestrictions }, options, context);
  const places = [path, ...kustomizations.map(({ directory }) => directory)];
  const directories = places.map((place) => ({ path: place, skipsHidden: false }));
  return beginRendering(objects, { namespace, which: 'all', facts: { directories } }, context);
}

/** A directory with a kustomization file. */
export interface KustomizeSource extends SourceOptions<KustomizeSource> {
  readonly path: string;
  /** Whether files may be read from below the kustomization only (`root`) or from anywhere. Defaults to that of the renderer. */
  readonly loadRestrictions?: 'root' | 'none';
}

export interface KustomizeOptions extends RendererOptions {
  readonly programs: ProgramRunner;
  /** Must show the same files as the programs see, because kustomize reads kustomizations itself. */
  readonly fileSystem: FileSystem;
  readonly loadRestrictions?: 'root' | 'none';
  /** Allows kustomize to fetch remote resources. */
  readonly allowNetwork?: boolean;
}

/**
 * Renders kustomizations with `kustomize build` and returns the objects of its output. kustomize reports the file of an object only
 * on request, so origins name the kustomization unless source annotations are enabled. Plugins, functions and helm charts in
 * kustomizations are disabled.
 */
export function kustomizeRenderer(
  sources: KustomizeSource | readonly KustomizeSource[],
  options: KustomizeOptions,
): Renderer<Rendered> {
  return defineRenderer<KustomizeSource>({
    name: 'kustomize',
    sources,
    options,
    *validate({ path }) {
      if (isBlank(path)) yield { field: 'path', message: 'must not be blank' };
    },
    describe: ({ path }) => path,
    pathOf: ({ path }) => path,
    // Of a file in a repository there is only the address.
    fileOf: ({ path }, file) => (file.includes('//') ? file : (relativePath(path, file) ?? file)),
    identify: ({ path, loadRestrictions = null }) => ({ path, loadRestrictions }),
    render: async (source, values, context) => (await renderSource(source, { values, ...options }, context)).objects,
  });
}

async function renderSource(
  source: KustomizeSource,
  options: KustomizeOptions & { readonly values: Values },
  context: RenderContext,
): Promise<{ readonly objects: readonly KubeObject[]; readonly kustomizations: readonly Kustomization[] }> {
  const { path } = source;
  const { fileSystem, programs, allowNetwork = false } = options;
  const hasValues = Object.keys(options.values).length > 0;
  const valuesFile = joinPath(path, 'values.yaml');
  const promised = hasValues ? normalisePath(valuesFile) : undefined;
  const scan = await scanKustomization(path, { fileSystem, allowNetwork, promised });
  const loadRestrictions = source.loadRestrictions ?? options.loadRestrictions ?? 'root';
  const wantsOrigins = options.sourceAnnotations !== undefined && options.sourceAnnotations !== false;
  const withOrigins = wantsOrigins && !scan.kustomizations.slice(0, 1).some(asksForOrigins);
  if (hasValues && (await fileSystem.kindOf(valuesFile)) !== undefined) {
    const location = { file: valuesFile };
    throw kustomizeProblems.error('kustomization-values-exist', { path: valuesFile }, { location });
  }
  const values = hasValues ? writeValuesConfigMap(options.values) : undefined;
  const settings = { path, values, fileSystem, loadRestrictions, withOrigins };
  const copy = hasValues || withOrigins ? await copyKustomization(scan, settings) : undefined;
  const restrictor = loadRestrictions === 'none' ? 'LoadRestrictionsNone' : 'LoadRestrictionsRootOnly';
  const { exitCode, stdout, stderr } = await runKustomize(programs, {
    args: [`--load-restrictor=${restrictor}`, '--', copy?.path ?? asLocalPath(path)],
    ...(copy === undefined ? {} : { workspace: copy.workspace }),
    network: allowNetwork,
    signal: context.signal,
  });

  const { warnings, error } = readKustomizeMessages(copy?.restorePaths(stderr) ?? stderr);
  for (const reason of warnings) {
    // `'bases' is deprecated …` refers to the first kustomization that has the field.
    const location = locateField(/^'(\w+)' is deprecated/.exec(reason)?.[1], scan.kustomizations);
    context.report(kustomizeProblems.create('kustomization-warning', { path, reason }, { location }));
  }
  if (exitCode !== 0) {
    const location = locateError(error, scan.kustomizations);
    throw kustomizeProblems.error('kustomization-build-failed', { path, reason: error }, { location });
  }
  const { kustomizations } = scan;
  const printed = readPrinted({ path: `kustomize build ${path}`, text: stdout }, context, {
    originOf: () => ({ renderer: 'kustomize', source: path, printedFrom: `kustomization ${path}` }),
  });
  const encrypted = printed.filter(isSopsEncrypted).length;
  if (encrypted > 0) context.report(kustomizeProblems.create('sops-rewritten', { path, count: encrypted }));
  if (!wantsOrigins) return { objects: printed, kustomizations };
  const { origins } = context;
  // Moves the origin that kustomize reports into the table of origins; the user's own annotations stay.
  const objects = printed.map((annotated) => {
    const object = withOrigins ? withoutAnnotations(annotated, [annotation]) : annotated;
    const file = fileOf(annotated, path);
    const origin = origins.get(annotated)!;
    origins.set(object, file === undefined ? origin : { ...origin, file });
    return object;
  });
  return { objects, kustomizations };
}

const annotation = 'config.kubernetes.io/origin';

/**
 * The file that an object comes from, as kustomize names it: from the kustomization, or inside a repository that was fetched. For a
 * generated object it is the file that configures the generator.
 */
function fileOf(object: KubeObject, directory: string): string | undefined {
  const text = annotationsOf(object)[annotation];
  const data = text === undefined ? undefined : readYaml({ path: annotation, text }).documents[0]?.data;
  if (!isJsonObject(data)) return undefined;
  const path = textAt(data, 'path') ?? textAt(data, 'configuredIn');
  if (path === undefined) return undefined;
  const repository = textAt(data, 'repo');
  if (repository === undefined) return normalisePath(joinPath(directory, path));
  const ref = textAt(data, 'ref');
  return `${withoutLogin(repository)}//${path}${ref === undefined ? '' : `?ref=${ref}`}`;
}

/** An address may have a password in it. */
function withoutLogin(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}

/** Falls back to the kustomize that is built into kubectl. */
async function runKustomize(programs: ProgramRunner, call: Omit<ProgramCall, 'program'>): Promise<ProgramResult> {
  try {
    return await runProgram(programs, { ...call, program: 'kustomize', args: ['build', ...call.args] });
  } catch (error) {
    if (!isMissing(error)) throw error;
    try {
      return await runProgram(programs, { ...call, program: 'kubectl', args: ['kustomize', ...call.args] });
    } catch (fallback) {
      // Reports the missing kustomize rather than kubectl, which the user did not ask for.
      throw isMissing(fallback) ? error : fallback;
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof DiagnosticError && error.cause instanceof ProgramError && error.cause.reason === 'not-found';
}

/**
 * Writes values as the ConfigMap `values`, which a kustomization can use as a resource or in replacements. ConfigMap data are
 * strings: scalars are written as they are, lists and objects as JSON; `null` removes a value.
 */
function writeValuesConfigMap(values: Values): string {
  const names = Object.keys(values).filter((name) => !/^[-._a-zA-Z0-9]{1,253}$/.test(name));
  if (names.length > 0) {
    throw new DiagnosticError(names.map((name) => kustomizeProblems.create('kustomization-value-name', { name })));
  }
  const data = Object.entries(values).flatMap(([name, value]) => {
    if (value === null) return [];
    return [[name, typeof value === 'object' ? canonicalJson(value) : String(value)] as const];
  });
  return writeYaml({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'values' },
    data: Object.fromEntries(data),
  });
}

// kustomize tries each resource as a file and then as a directory and reports both failures; the first one matters.
const twoAttempts = /^accumulating resources: accumulation err='(.*)': must build at directory: .*$/;

/** Warnings, and the error on one line. */
function readKustomizeMessages(stderr: string) {
  const warnings: string[] = [];
  const rest: string[] = [];
  for (const line of stderr.split(/\r?\n/)) {
    const warning = /^#? ?Warning: (.*)$/i.exec(line)?.[1];
    if (warning === undefined) rest.push(line.trim());
    else warnings.push(warning);
  }
  let error = rest
    .join(' ')
    .trim()
    .replace(/^Error: /, '');
  for (let inner = twoAttempts.exec(error); inner !== null; inner = twoAttempts.exec(error)) error = inner[1]!;
  return { warnings, error: error || 'no reason given' };
}

/** Errors name the resource or field, but not the kustomization, so the first one that has it is used. */
function locateError(error: string, kustomizations: readonly Kustomization[]): Location | undefined {
  const resource = /resources from '([^']+)'/.exec(error)?.[1];
  for (const { source, data } of kustomizations) {
    for (const { text, path } of listReferences(data)) {
      if (text === resource) return { file: source.path, document: 0, path };
    }
  }
  const field = error.includes('must specify --enable-helm') ? 'helmCharts' : /unknown field "(\w+)"/.exec(error)?.[1];
  return locateField(field, kustomizations);
}

function locateField(field: string | undefined, kustomizations: readonly Kustomization[]): Location | undefined {
  if (field === undefined) return undefined;
  const owner = kustomizations.find(({ data }) => Object.hasOwn(data, field));
  return owner === undefined ? undefined : { file: owner.source.path, document: 0, path: [field], at: 'key' };
}
