import { quote } from '../../../diagnostics/index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Fetcher, FetchFailure, FetchRequest } from '../../../model/index.ts';

/** What fetching needs besides the name of what is fetched. */
export interface FetchAccess extends Pick<FetchRequest, 'allowHost' | 'isNamedHost' | 'signal'> {
  readonly fetcher: Fetcher;
  /** Whether the policy names a host as one that sources come from. */
  readonly isListedHost?: ((host: string) => boolean) | undefined;
  /** Speak plain HTTP with registries on this machine, as those of tests do. */
  readonly plainHttp?: boolean | undefined;
}

/** Access for all that a URL of the package leads to: whatever answers name other hosts, its own host is the named one. */
export function accessFrom(url: string, access: FetchAccess): FetchAccess {
  if (access.isNamedHost !== undefined) return access;
  const { isListedHost = () => false } = access;
  const named = hostnameOf(url.replace(/^oci:/i, 'https:'));
  const isOwn = (host: string): boolean => named !== undefined && hostnameOf(`https://${host}`) === named;
  return { ...access, isNamedHost: (host) => isOwn(host) || isListedHost(host) };
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** The error for what came whole, but is not what it should be; the reason completes `cannot use "https://…": …`. */
export function refuseContent(
  url: string,
  reason: string,
  { failure = 'content', cause }: { readonly failure?: FetchFailure; readonly cause?: unknown } = {},
): FetchError {
  const shown = url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1***@');
  return new FetchError(failure, `cannot use ${quote(shown)}: ${reason}`, { url: shown, cause });
}
