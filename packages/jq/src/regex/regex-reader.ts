/** How the rest of the group is read. */
export interface RegexOptions {
  readonly ignoreCase: boolean;
  /** Blanks and comments are left out. */
  readonly extended: boolean;
  readonly dotMatchesNewline: boolean;
  /** `^` and `$` match at every line. */
  readonly multiLine: boolean;
}

/** Where reading a pattern is, and what it has found. */
export interface RegexReader {
  readonly pattern: string;
  at: number;
  options: RegexOptions;
  readonly names: (string | null)[];
  /** The highest group that a reference names; references may come before their groups. */
  highestGroup: number;
}
