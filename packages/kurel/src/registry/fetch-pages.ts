import type { Json } from '../model/index.ts';
import { refuseContent } from './fetch-access.ts';
import type { RegistrySession, SessionRequest } from './registry-session.ts';

const largestPage = 4 * 1_048_576;
const mostPages = 100;
const mostEntries = 100_000;

export interface PageRequest<Entry> extends Pick<SessionRequest, 'headers'> {
  /** The repository, for messages. */
  readonly url: string;
  /** What is listed, for messages: `tags`. */
  readonly what: string;
  /** The first page. */
  readonly place: string;
  readonly read: (data: Json | undefined) => readonly Entry[];
}

/** All entries of a list that a registry returns in pages. */
export async function fetchPages<Entry>(
  session: RegistrySession,
  { url, what, place, headers, read }: PageRequest<Entry>,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let next: string | undefined = place;
  while (next !== undefined) {
    if (seen.has(next)) throw refuseContent(url, `its list of ${what} refers to the same page again`);
    if (!session.isOwn(next)) throw refuseContent(url, `its list of ${what} continues on another host`);
    if (seen.size === mostPages) throw tooLong(url, what);
    seen.add(next);
    const answer = await session.send(next, { headers, maxBytes: largestPage });
    for (const entry of read(parseJson(answer.bytes))) entries.push(entry);
    if (entries.length > mostEntries) throw tooLong(url, what);
    next = readNextLink(answer.headers['link'] ?? '');
  }
  return entries;
}

function tooLong(url: string, what: string): Error {
  return refuseContent(url, `its list of ${what} is too long`, { failure: 'size' });
}

/** The next page in a `link` header: `</v2/a/tags/list?last=1.0>; rel="next"`. */
export function readNextLink(header: string): string | undefined {
  return /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(header)?.[1];
}

export function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}
