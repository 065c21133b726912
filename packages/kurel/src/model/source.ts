import type { Path } from './json.ts';
import type { KubeObject } from './kube-object.ts';

/** A text that objects, values or patches were read from. `path` is what the user would call it. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Words that no excerpt and no message shows, because they end up in a Secret. */
  readonly secrets?: readonly string[];
}

/** Offsets into a text, in UTF-16 units; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A place in a text as people count: both from 1; columns count characters, not bytes. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Where a finding is. Stages know the file and the path of the data; the line is found when the finding is printed.
 * Parsers, which know the offsets, give a range instead.
 */
export interface Location {
  readonly file: string;
  /** Index of the YAML document in the file, from 0. */
  readonly document?: number;
  readonly path?: Path;
  /** Whether the key or the value at `path` is meant; the value unless said. */
  readonly at?: 'key' | 'value';
  readonly range?: Range;
}

/** Where an object came from. Kept beside the objects (`OriginTable`), never inside them. */
export interface Origin {
  /** Name of the renderer that made the object. */
  readonly renderer: string;
  /** The source as the user gave it: a path, a pattern, a chart reference. */
  readonly source: string;
  /** The file that a person would open to change the object, when there is one. */
  readonly file?: string;
  /** The text that the object was read from; absent for objects that never were text. */
  readonly text?: TextOrigin;
  /** Where a person would change a field of an object that was put together from several texts. */
  readonly locate?: (path: Path) => Location;
}

export interface TextOrigin {
  readonly source: SourceFile;
  /** Index of the document in the text, from 0. */
  readonly document: number;
  /** The whole document in the text, comments included, without the `---` and `...` lines around it. */
  readonly range: Range;
  /** Where the object stands inside the document, when the document is a List. */
  readonly path?: Path;
  /** Which item of that List it is, from 0, and how many the List has, nested Lists opened and skipped items included. */
  readonly item?: { readonly index: number; readonly count: number };
  /** From the end of the document before: markers, directives, blank lines, comments and empty documents. */
  readonly lead?: Range;
  /** The same behind the last document of the text. */
  readonly tail?: Range;
  /** What the document said; the written text is the source text with the differences to this spliced in. */
  readonly parsed: KubeObject;
}
