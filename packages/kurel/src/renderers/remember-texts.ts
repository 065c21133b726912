import { type Diagnostic, FileAccessError, type FileSystem, type SourceFile } from '../model/index.ts';

export interface RememberedTexts {
  /** Reads as the given file system does. */
  readonly fileSystem: FileSystem;
  /** Keeps a text that came from elsewhere. */
  remember(source: SourceFile): void;
  /** The texts that diagnostics point into, so that they can be shown with an excerpt. */
  sourcesOf(diagnostics: readonly Diagnostic[]): Promise<readonly SourceFile[]>;
}

/** Keeps what is read, so that an excerpt shows the very text that a finding is about. `given` are texts that are no files. */
export function rememberTexts(fileSystem: FileSystem, given: readonly SourceFile[] = []): RememberedTexts {
  const texts = new Map(given.map(({ path, text }) => [path, text]));

  async function readAgain(path: string): Promise<string | undefined> {
    try {
      return await fileSystem.readText(path);
    } catch (error) {
      if (error instanceof FileAccessError) return undefined;
      throw error;
    }
  }

  return {
    fileSystem: {
      // Called, not copied: the methods of a class do not come along with its fields.
      list: (directory) => fileSystem.list(directory),
      kindOf: (path) => fileSystem.kindOf(path),
      ...(fileSystem.readBytes === undefined ? {} : { readBytes: (path: string) => fileSystem.readBytes!(path) }),
      async readText(path) {
        const text = await fileSystem.readText(path);
        texts.set(path, text);
        return text;
      },
    },
    remember: ({ path, text }) => void texts.set(path, text),
    async sourcesOf(diagnostics) {
      const places = diagnostics.flatMap(({ location, related = [] }) => [
        location,
        ...related.map((one) => one.location),
      ]);
      const paths = new Set(places.filter((place) => place !== undefined).map(({ file }) => file));
      const sources: SourceFile[] = [];
      for (const path of paths) {
        const text = texts.get(path) ?? (await readAgain(path));
        if (text !== undefined) sources.push({ path, text });
      }
      return sources;
    },
  };
}
