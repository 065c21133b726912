import type { Json, Location, Path, Report, SourceFile } from '../../model/index.ts';
import type { Patch } from '../patch.ts';

/** One document of patches while it is read. */
export interface PatchReading {
  readonly source: SourceFile;
  /** Index of the document in the file. */
  readonly document: number;
  readonly report: Report;
  readonly patches: Patch[];
  /** What stands at a path, with plain words as manifests have them: there, `yes` is true. */
  readonly asManifest: (path: Path) => Json | undefined;
}

export function locateValue({ source, document }: PatchReading, path: Path): Location {
  return { file: source.path, document, path };
}

export function locateKey({ source, document }: PatchReading, path: Path): Location {
  return { file: source.path, document, path, at: 'key' };
}
