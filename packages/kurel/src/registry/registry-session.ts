import { quote } from '../diagnostics/index.ts';
import { FetchError, hideQuery } from '../model/index.ts';
import type { Fetched } from '../model/index.ts';
import { accessFrom, fetchPinned, refuseContent } from './fetch-access.ts';
import type { FetchAccess, PinnedRequest } from './fetch-access.ts';
import { isDockerHub } from './oci-reference.ts';
import { authorize } from './registry-token.ts';

/** Requests to one registry, or to one repository of it. */
export interface RegistrySession {
  /** The place is relative to the root of the session, such as `manifests/1.0`, or a URL from a response of the registry. */
  readonly send: (place: string, request: SessionRequest) => Promise<Fetched>;
  /** Whether a place is on the registry itself. */
  readonly isOwn: (place: string) => boolean;
}

export type SessionRequest = Omit<PinnedRequest, 'url' | 'intent' | 'isFresh'>;

/** What a session may do in the repository. */
export type RegistryAction = 'pull' | 'pull,push';

/** Of the answer to a request that is not for content. */
export const largestAnswer = 1_048_576;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A session without a path is for the registry itself. Requests are anonymous until the registry refuses one; then it is repeated with a token or with a password. */
export function openRegistry(
  { host, path }: { readonly host: string; readonly path?: string },
  access: FetchAccess,
  action: RegistryAction = 'pull',
): RegistrySession {
  const isPlain = access.plainHttp === true && loopback.test(host);
  // The API of Docker Hub has another host name than its images.
  const server = isDockerHub(host) ? 'registry-1.docker.io' : host;
  const base = `${isPlain ? 'http' : 'https'}://${server}/v2/`;
  const root = path === undefined ? base : `${base}${path}/`;
  const scope = path === undefined ? undefined : `repository:${path}:${action}`;
  // What is there may have changed since the last request, and by this session itself.
  const writing = action === 'pull' ? {} : ({ intent: 'push', isFresh: true } as const);
  let authorization: string | undefined;
  /** The last one that the registry has accepted. */
  let accepted: string | undefined;
  let pending: Promise<string> | undefined;

  const isOwn = (url: string): boolean => new URL(url, root).origin === new URL(root).origin;

  async function ask(url: string, { headers, ...request }: SessionRequest): Promise<Fetched> {
    // A location on another host, such as a signed URL of a store, must not receive credentials.
    const sent = isOwn(url) ? authorization : undefined;
    const proof = sent === undefined ? {} : { authorization: sent };
    const answer = await fetchPinned({ ...request, ...writing, url, headers: { ...headers, ...proof } }, access);
    accepted = sent ?? accepted;
    return answer;
  }

  /** Several requests may be refused at the same time. */
  async function renew(refusal: FetchError): Promise<void> {
    const isRenewal = authorization !== undefined;
    pending ??= authorize(refusal, { host, scope, isPlain, isRenewal, access }).finally(() => (pending = undefined));
    authorization = await pending;
  }

  return {
    isOwn,
    async send(place, request) {
      if (!URL.canParse(place, root))
        throw refuseContent(root, `${quote(place.slice(0, 200))} is not a valid URL`, writing);
      const url = new URL(place, root).href;
      if (!isOwn(url) && !url.startsWith('https://')) {
        const reason = `it refers to ${quote(hideQuery(url).slice(0, 200))}, which is neither on this registry nor https://`;
        throw refuseContent(root, reason, writing);
      }
      const used = authorization;
      try {
        return await ask(url, request);
      } catch (error) {
        if (!(error instanceof FetchError) || error.status !== 401) throw error;
        // A redirect target must not choose where this registry's tokens come from.
        if (error.url !== url || !isOwn(url)) throw error;
        if (used === authorization) {
          // A token that has worked may have expired; one that has not is useless.
          if (used !== undefined && used !== accepted) throw error;
          await renew(error);
        }
        return await ask(url, request);
      }
    },
  };
}

/** Logs in to a registry. Throws a `FetchError` if it refuses the credentials; returns whether it has asked for them at all. */
export async function checkLogin(host: string, access: FetchAccess): Promise<boolean> {
  let wasAsked = false;
  const credentialsFor: FetchAccess['credentialsFor'] = async (name) => {
    wasAsked = true;
    return await access.credentialsFor?.(name);
  };
  const session = openRegistry({ host }, { ...accessFrom(`oci://${host}`, access), credentialsFor });
  await session.send('', { maxBytes: largestAnswer });
  return wasAsked;
}
