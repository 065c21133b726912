import { FileAccessError } from '../model/index.ts';
import type { FileSystem } from '../model/index.ts';
import { detectInput, markedDirectory } from './detect-input.ts';
import type { InputRequest } from './form-types.ts';
import { isGlob } from './manifests/glob.ts';
import { joinPath, leavesRoot, normalisePath } from './paths.ts';

/** The directory with CustomResourceDefinitions of an input, `schemas/crds`; `undefined` if it has none. */
export async function findOwnDefinitions(
  request: Pick<InputRequest, 'path' | 'fileSystem' | 'as' | 'forms' | 'budget'>,
): Promise<string | undefined> {
  const { path, fileSystem, forms } = request;
  if (path === '-' || (isGlob(path) && fileSystem.packageAt?.(path) === undefined)) return undefined;
  try {
    // For a pipe of a shell, listing the path fails.
    if ((await fileSystem.kindOf(path)) === 'directory') return await findIn(path, fileSystem);
    if (markedDirectory(path, forms) === path) return undefined;
    const { path: directory } = await detectInput(request);
    return directory === path ? undefined : await findIn(directory, fileSystem);
  } catch (error) {
    // The build reports why an input cannot be read.
    if (error instanceof FileAccessError) return undefined;
    throw error;
  }
}

async function findIn(input: string, fileSystem: FileSystem): Promise<string | undefined> {
  let directory = input.replace(/(?<=.)\/+$/, '');
  let place = '.';
  for (const wanted of ['schemas', 'crds']) {
    const entry = (await fileSystem.list(directory)).find(({ name }) => name === wanted);
    if (entry?.kind !== 'directory') return undefined;
    // The build reports a link that points outside the package.
    if (leavesRoot(normalisePath(`${place}/${entry.target ?? wanted}`))) return undefined;
    directory = joinPath(directory, wanted);
    place = joinPath(place, wanted);
  }
  const entries = await fileSystem.list(directory);
  const hasSchemas = entries.some(({ name, kind }) => kind === 'directory' || /\.(?:ya?ml|json)$/.test(name));
  return hasSchemas ? directory : undefined;
}
