/** Why an archive is not taken: the message completes a sentence, as in `cannot use "…": it ends in the middle`. */
export class TarError extends Error {
  override readonly name = 'TarError';
  /** What kind of fault it is. */
  readonly fault: 'content' | 'size' | 'encoding';

  constructor(message: string, fault: TarError['fault'] = 'content', options?: { readonly cause?: unknown }) {
    super(message, options);
    this.fault = fault;
  }
}
