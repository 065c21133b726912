import type { Json, Location, Path, Report, SourceFile } from '../../model/index.ts';
import type { Patch } from '../patch.ts';

/** State of reading one patch document. */
export interface PatchReading {
  readonly source: SourceFile;
  /** Index of the document in the file. */
  readonly document: number;
  readonly report: Report;
  readonly patches: Patch[];
  /** Value at a path, read as in a manifest, where `yes` is true. */
  readonly asManifest: (path: Path) => Json | undefined;
}

export function locateValue({ source, document }: PatchReading, path: Path): Location {
  return { file: source.path, document, path };
}

export function locateKey({ source, document }: PatchReading, path: Path): Location {
  return { file: source.path, document, path, at: 'key' };
}
