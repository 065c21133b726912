/** The owner of files in an output directory: the instance that was built, and its layout. */
export interface OutputOwner {
  /** The name that the user chose, or the name of the package, or the path of the input. */
  readonly instance: string;
  readonly layout: string;
}

/** The part of a build in an output directory that it may share with others. */
export interface OutputClaim {
  readonly owner: OutputOwner;
  /** The subdirectory from `findOutputPlace`. Defaults to the output directory itself. */
  readonly directory?: string | undefined;
  /** Filters dropped objects: other files of the owner are kept, and a file that would lose objects is an error. */
  readonly isPartial?: boolean | undefined;
  /** The caller knows that files of the same instance in another layout are from an earlier build of its own, which this one replaces. */
  readonly mayChangeLayout?: boolean | undefined;
}
