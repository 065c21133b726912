import type { RequestOptions } from 'node:https';
import type { ConnectionOptions, SecureContext } from 'node:tls';

import type { FetchError } from '../model/index.ts';
import { checkedLookup } from './checked-lookup.ts';
import { explainConnection } from './explain-connection.ts';
import type { Hop } from './fetch-hop.ts';
import type { Environment } from './find-program.ts';
import { findProxy } from './find-proxy.ts';
import { isAddress, nameAddress } from './name-address.ts';
import type { SpecialAddress } from './name-address.ts';
import { openTunnel, proxyHeaders, refuseProxy } from './open-tunnel.ts';
import type { Trust } from './trusted-certificates.ts';
import { placeOf } from './url-place.ts';

/** What decides how a request gets to its server. */
export interface RouteRules {
  readonly allowPrivate: boolean;
  /** Variables that name proxies. */
  readonly environment: Environment;
  readonly trust: () => Trust;
  /** The reason of the signal becomes the error. */
  readonly signal: AbortSignal;
}

/** How a request gets to its server: directly, or through a proxy. */
export interface Route {
  readonly module: 'node:http' | 'node:https';
  readonly options: RequestOptions & Pick<ConnectionOptions, 'secureContext'>;
  readonly headers: Readonly<Record<string, string>>;
  /** Closes a connection that is not used. */
  readonly close?: () => void;
  /** The error for a failed connection. */
  readonly explain: (cause: unknown) => FetchError;
}

/** What `--allow-private` allows. The others, such as cloud metadata services, never serve charts. */
const allowable: ReadonlySet<SpecialAddress> = new Set(['loopback', 'private']);
const articles: Readonly<Partial<Record<SpecialAddress, string>>> = { unspecified: 'an' };
/** A proxy looks up names itself. */
const metadataNames: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.goog']);

/** Opens the connection only if it leads through a proxy. */
export async function findRoute(hop: Hop, { allowPrivate, environment, trust, signal }: RouteRules): Promise<Route> {
  const refuseAddress = createAddressCheck(hop, allowPrivate);
  // An address is never looked up.
  const { host } = placeOf(hop.url);
  const problem = isAddress(host) ? refuseAddress(host) : undefined;
  if (problem !== undefined) throw problem;
  const choice = findProxy(hop.url, environment);
  if (choice !== undefined && 'problem' in choice) throw hop.refuse('connection', choice.problem);
  const isSecure = hop.url.protocol === 'https:';
  const secureContext = isSecure || choice?.proxy.protocol === 'https:' ? readTrust(hop, trust) : undefined;
  const explain = (cause: unknown): FetchError => hop.refuse('connection', explainConnection(cause), { cause });
  // No shared agent: a kept connection was checked by other rules, and an agent may use another proxy.
  const agent = false;
  if (choice === undefined) {
    const options = { ...placeOf(hop.url), lookup: checkedLookup(refuseAddress), agent, secureContext } as const;
    return { module: isSecure ? 'node:https' : 'node:http', options, headers: {}, explain };
  }
  if (metadataNames.has(host.replace(/\.$/, ''))) throw hop.refuse('address-refused', 'its host is a metadata service');
  const { proxy } = choice;
  if (isSecure) {
    const tunnel = await openTunnel(hop, { proxy, secureContext, signal });
    const close = (): void => void tunnel.destroy();
    return { module: 'node:http', options: { host, createConnection: () => tunnel }, headers: {}, close, explain };
  }
  return {
    module: proxy.protocol === 'https:' ? 'node:https' : 'node:http',
    options: {
      ...placeOf(proxy),
      path: `${hop.url.origin}${hop.url.pathname}${hop.url.search}`,
      agent,
      secureContext,
    },
    headers: proxyHeaders(proxy),
    explain: (cause) => refuseProxy(hop, proxy, explainConnection(cause)),
  };
}

function createAddressCheck(hop: Hop, allowPrivate: boolean): (address: string) => FetchError | undefined {
  return (address) => {
    const kind = nameAddress(address);
    if (kind === undefined) return undefined;
    const reason = `its host has address ${address}, ${articles[kind] ?? 'a'} ${kind} address`;
    if (!allowable.has(kind)) return hop.refuse('address-refused', reason);
    if (!allowPrivate) return hop.refuse('address', reason);
    if (hop.isNamed) return undefined;
    return hop.refuse('address-refused', `${reason}, which is allowed only for hosts that the package names`);
  };
}

function readTrust(hop: Hop, trust: () => Trust): SecureContext | undefined {
  const found = trust();
  if (found !== undefined && 'problem' in found) throw hop.refuse('connection', found.problem);
  return found?.secureContext;
}
