/** A file of the output: its path relative to the output directory, with `/`, and its full text. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
  /** Set when filters dropped objects that would also be in this file. */
  readonly isPartial?: boolean | undefined;
}
