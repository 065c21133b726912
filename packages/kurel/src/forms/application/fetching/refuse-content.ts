import { quote } from '../../../diagnostics/index.ts';
import { FetchError, type FetchFailure } from '../../../model/index.ts';

/** The error for what came whole, but is not what it should be; the reason completes `cannot use "https://…": …`. */
export function refuseContent(
  url: string,
  reason: string,
  { failure = 'content', cause }: { readonly failure?: FetchFailure; readonly cause?: unknown } = {},
): FetchError {
  const shown = url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1***@');
  return new FetchError(failure, `cannot use ${quote(shown)}: ${reason}`, { url: shown, cause });
}
