/** A file that a build gives: a path relative to the output, with `/`, and its whole text. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
  /** Set when filters dropped objects that the file would hold as well. */
  readonly isPartial?: boolean | undefined;
}
