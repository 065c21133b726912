/** Why an archive is not taken: the message completes a sentence, as in `cannot use "…": it ends in the middle`. */
export class TarError extends Error {
  override readonly name = 'TarError';
}
