import { defineRenderer, throwIfAborted } from '../../engine/index.ts';
import type { RendererOptions, SourceOptions, SourceProblem } from '../../engine/index.ts';
import { locateObject } from '../../kube/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type {
  FileSystem,
  KubeObject,
  OriginTable,
  RenderContext,
  Rendered,
  Renderer,
  Report,
  SourceFile,
} from '../../model/index.ts';
import type { InputDirectory, Rendering } from '../../provenance/index.ts';
import { collectErrors, readObjects } from '../read-objects.ts';
import type { InputRequest } from '../form-types.ts';
import { isBlank, parentOf, pathInside, rootOf } from '../paths.ts';
import { inputProblems } from '../problems.ts';
import { beginRendering } from '../begin-rendering.ts';
import { findFiles } from './find-files.ts';
import { directoryOfGlob, isGlob } from './glob.ts';
import { manifestsProblems } from './problems.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, values = {}, namespace } = request;
  // Patches may use the values even if nothing else does.
  const isIdle = Object.keys(values).length > 0 && request.package?.outerPatches === undefined;
  if (isIdle) context.report(inputProblems.create('input-takes-no-values', { path }));
  const source = path === '-' ? { name: 'stdin', text: request.stdin ?? '' } : { fileSystem, path };
  const objects = await renderSource(source, context);
  const isSingle = objects.every((object) => context.origins.get(object)?.file === describeSource(source));
  // An input without objects is a mistake.
  const facts = { whenEmpty: 'error', directories: isSingle ? [] : [directoryReadFrom(path)] } as const;
  return beginRendering(objects, { namespace, which: 'all', facts }, context);
}

/** A directory, or that of a pattern with as many levels as the pattern has. */
function directoryReadFrom(source: string): InputDirectory {
  if (!isGlob(source)) return { path: source, skipsHidden: true };
  const parts = source.split('/');
  const special = parts.findIndex((part) => isGlob(part) || part.includes('\\'));
  const depth = parts.includes('**') ? undefined : parts.length - special;
  return { path: directoryOfGlob(source), skipsHidden: true, depth };
}

/** Manifests in files: `path` is a file, a directory or a pattern such as `deploy/**` + `/*.yaml`. */
export interface ManifestFiles extends SourceOptions<ManifestsSource> {
  readonly fileSystem: FileSystem;
  readonly path: string;
}

/** Manifests in a string, such as standard input. */
export interface ManifestText extends SourceOptions<ManifestsSource> {
  /** Name of the text in diagnostics and origins. */
  readonly name: string;
  readonly text: string;
}

export type ManifestsSource = ManifestFiles | ManifestText;

// For all files of one source, in UTF-16 units; V8 cannot hold much more with its default heap.
const mostText = 512 * 1024 * 1024;

/** Renders plain manifests unchanged. Files are read on every render; values have no effect. */
export function manifestsRenderer(
  sources: ManifestsSource | readonly ManifestsSource[],
  options: RendererOptions = {},
): Renderer<Rendered> {
  return defineRenderer<ManifestsSource>({
    name: 'manifests',
    sources,
    options,
    ignoresValues: true,
    validate: validateSource,
    describe: describeSource,
    pathOf: (source) => ('text' in source ? undefined : inputOf(source.path).shown),
    fileOf: (source, file) => ('text' in source ? file : pathInside(inputOf(source.path).directory, file)),
    render: (source, _values, context) => renderSource(source, context),
  });
}

function* validateSource(source: ManifestsSource): Iterable<SourceProblem> {
  if ('text' in source) {
    if (isBlank(source.name)) yield { field: 'name', message: 'must not be blank' };
    return;
  }
  if (isBlank(source.path)) yield { field: 'path', message: 'must not be blank' };
  // Checked at runtime as well, because JavaScript callers have no type checks.
  if ((source.fileSystem as FileSystem | undefined) === undefined) yield { field: 'fileSystem', message: 'is missing' };
}

function describeSource(source: ManifestsSource): string {
  return 'text' in source ? source.name : source.path;
}

/** Where the files of a path or pattern are, and how annotations show it: a pattern is more than its last part. */
function inputOf(path: string): { readonly directory: string; readonly shown: string } {
  if (!isGlob(path)) return { directory: path, shown: path };
  const directory = directoryOfGlob(path);
  return { directory, shown: rootOf(path) !== '' ? pathInside(parentOf(directory), path) : path };
}

async function renderSource(source: ManifestsSource, context: RenderContext): Promise<readonly KubeObject[]> {
  const { report, throwErrors } = collectErrors(context.report, context.budget);
  const files =
    'text' in source ? [{ path: source.name, text: source.text }] : await readFiles(source, context, report);
  const objects = files.flatMap((file) => {
    throwIfAborted(context);
    const origin = { renderer: 'manifests', source: describeSource(source), file: file.path };
    const read = readObjects(file, { context, report, originOf: () => origin });
    return read.filter((object) => !isForeign(object, context.origins, report));
  });
  throwErrors();
  return objects;
}

/** Whether the object cannot be part of the output, which is reported. */
function isForeign(object: KubeObject, origins: OriginTable, report: Report): boolean {
  const { apiVersion, kind } = object;
  const location = locateObject(object, origins, ['kind']);
  const args = { kind, file: location?.file ?? '' };
  // kurel documents are not Kubernetes objects, and their parameters are not filled in here.
  if (apiVersion.startsWith('launcher.gokure.dev/')) {
    report(manifestsProblems.create('manifests-own-document', args, { location }));
  }
  // `kubectl apply` rejects a kustomization, so it is left out.
  const isKustomization = kind === 'Kustomization' || kind === 'Component';
  if (!isKustomization || !apiVersion.startsWith('kustomize.config.k8s.io/')) return false;
  report(manifestsProblems.create('manifests-kustomization', args, { location }));
  return true;
}

async function readFiles(
  { fileSystem, path }: ManifestFiles,
  context: RenderContext,
  report: Report,
): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  let length = 0;
  for (const file of await findFiles({ fileSystem, path, report })) {
    throwIfAborted(context);
    try {
      const text = await fileSystem.readText(file);
      length += text.length;
      files.push({ path: file, text });
    } catch (error) {
      if (!(error instanceof FileAccessError)) throw error;
      report(manifestsProblems.create('manifests-unreadable', { reason: error.message }, { location: { file } }));
    }
    if (length > mostText) {
      report(manifestsProblems.create('manifests-too-many', { path, limit: `${mostText} characters` }));
      break;
    }
  }
  return files;
}
