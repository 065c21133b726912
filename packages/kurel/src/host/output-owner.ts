/** Whose files are in an output directory: what was built, and how its files are laid out. */
export interface OutputOwner {
  /** The name of the package, a name that the user chose, or the path of input without a name. */
  readonly instance: string;
  readonly layout: string;
}
