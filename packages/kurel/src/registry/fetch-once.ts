import { FetchError } from '../model/index.ts';
import type { Fetched, Fetcher, FetchRequest } from '../model/index.ts';

interface Flight {
  readonly answer: Promise<Fetched>;
  /** The hosts that the fetch asked about, with the answers. */
  readonly rulings: ReadonlyMap<string, Ruling>;
}

interface Ruling {
  readonly isAllowed: boolean;
  readonly isNamed: boolean | undefined;
}

/** Fetches each URL once, also if it fails; other methods and fresh requests are passed on. Requests share an answer only if they have the same rules for its hosts. */
export function fetchOnce(fetcher: Fetcher): Fetcher {
  const flights = new Map<string, Flight>();
  return {
    fetch: async (request) => {
      const { method = 'GET', isFresh = false } = request;
      if (method !== 'GET' || isFresh) return await fetcher.fetch(request);
      const key = JSON.stringify([request.url, request.maxBytes, request.headers ?? {}]);
      const flight = flights.get(key);
      if (flight !== undefined && (await isShared(flight, request))) return await flight.answer;
      const started = start(fetcher, request);
      flights.set(key, started);
      return await started.answer;
    },
  };
}

/** Waits for the answer, because a redirect may ask about another host. */
async function isShared({ answer, rulings }: Flight, request: FetchRequest): Promise<boolean> {
  const failure: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  // Such as the end of another build.
  if (failure !== undefined && !(failure instanceof FetchError)) return false;
  return [...rulings].every(([host, { isAllowed, isNamed }]) => {
    const ruling = ruleOn(host, request);
    return ruling.isAllowed === isAllowed && ruling.isNamed === isNamed;
  });
}

function start(fetcher: Fetcher, request: FetchRequest): Flight {
  const rulings = new Map<string, Ruling>();
  const rule = (host: string): Ruling => {
    const ruling = ruleOn(host, request);
    rulings.set(host, ruling);
    return ruling;
  };
  const answer = fetcher.fetch({
    ...request,
    allowHost: (host) => rule(host).isAllowed,
    ...(request.isNamedHost === undefined ? {} : { isNamedHost: (host) => rule(host).isNamed === true }),
  });
  return { answer, rulings };
}

function ruleOn(host: string, { allowHost, isNamedHost }: FetchRequest): Ruling {
  return { isAllowed: allowHost(host), isNamed: isNamedHost?.(host) };
}
