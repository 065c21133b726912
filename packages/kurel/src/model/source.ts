import type { Path, KubeObject } from './json.ts';
import type { SettingMention } from './message.ts';

/** A text that objects, values or patches are read from. `path` is the name that the user knows it by. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Strings that no excerpt or message shows, because they end up in a Secret. */
  readonly secrets?: readonly string[];
}

/** Offsets into a text, in UTF-16 units; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A position as editors count: line and column from 1; columns count characters, not bytes. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Where a finding is. Stages know the file and the path of the data; the line is looked up when the finding is printed.
 * Parsers know offsets and set a range instead.
 */
export interface Location {
  readonly file: string;
  /** Index of the YAML document in the file, from 0. */
  readonly document?: number;
  readonly path?: Path;
  /** Whether the finding is about the key or the value at `path`; defaults to the value. */
  readonly at?: 'key' | 'value';
  readonly range?: Range;
  /** The setting that `file` stands for, which the caller spells. */
  readonly setting?: SettingMention;
}

/** Where an object came from. Kept in a separate table (`OriginTable`), never inside the object. */
export interface Origin {
  /** Name of the renderer that created the object. */
  readonly renderer: string;
  /** The source as the user gave it: a path, a pattern, a chart reference. */
  readonly source: string;
  /** The file to edit to change the object, if there is one. */
  readonly file?: string;
  /** What a program has rendered to print the object, whose text is then not a file: `chart shop`. */
  readonly printedFrom?: string;
  /** The object as its author wrote it, if it was read from a text that is not its own. */
  readonly written?: KubeObject;
  /** The text that the object was read from; absent for objects that were never text. */
  readonly text?: TextOrigin;
  /** Where to change a field, or with `at` its key, of an object that was combined from several texts. */
  readonly locate?: (path: Path, at?: 'key' | 'value') => Location;
}

export interface TextOrigin {
  readonly source: SourceFile;
  /** Index of the document in the text, from 0. */
  readonly document: number;
  /** The whole document in the text, comments included, without the `---` and `...` lines around it. */
  readonly range: Range;
  /** Path of the object inside the document, if the document is a List. */
  readonly path?: Path;
  /** Index of the item in that List, from 0, and the number of items, with nested Lists expanded and skipped items counted. */
  readonly item?: { readonly index: number; readonly count: number };
  /** Everything since the end of the previous document: markers, directives, blank lines, comments and empty documents. */
  readonly lead?: Range;
  /** The same, after the last document of the text. */
  readonly tail?: Range;
  /** The data as read; written output is the source text with the differences from this spliced in. */
  readonly parsed: KubeObject;
}
