/** Why an archive is rejected: the message completes a sentence, as in `cannot use "…": it is truncated`. */
export class TarError extends Error {
  override readonly name = 'TarError';
  /** The kind of fault. */
  readonly fault: 'content' | 'size' | 'encoding';

  constructor(message: string, fault: TarError['fault'] = 'content', options?: { readonly cause?: unknown }) {
    super(message, options);
    this.fault = fault;
  }
}
