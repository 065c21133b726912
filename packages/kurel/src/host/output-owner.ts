/** Whose files are in an output directory: what was built, and how its files are laid out. */
export interface OutputOwner {
  /** The name of the package, a name that the user chose, or the path of input without a name. */
  readonly instance: string;
  readonly layout: string;
}

/** What a build writes into a directory that others may write into as well. */
export interface OutputClaim {
  readonly owner: OutputOwner;
  /** Where in the output directory the files begin, as `findOutputPlace` gave it; the directory itself by default. */
  readonly directory?: string | undefined;
  /** Filters dropped objects: files of the owner that are not given stay, and files that would lose objects are refused. */
  readonly isPartial?: boolean | undefined;
}
