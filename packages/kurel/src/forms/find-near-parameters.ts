import { nearest } from '../diagnostics/index.ts';
import { FileAccessError, type FileSystem } from '../model/index.ts';

/** The file of a directory without a parameters.yaml that was most likely meant to be it. */
export async function findNearParameters(fileSystem: FileSystem, directory: string): Promise<string | undefined> {
  try {
    const files = (await fileSystem.list(directory)).filter(
      ({ name, kind }) => kind === 'file' && /\.ya?ml$/i.test(name),
    );
    return nearest(
      'parameters.yaml',
      files.map(({ name }) => name),
    );
  } catch (error) {
    // Hints must not fail, so what cannot be read is nothing.
    if (error instanceof FileAccessError) return undefined;
    throw error;
  }
}
