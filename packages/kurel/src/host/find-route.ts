import type { LookupAddress, LookupOptions } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { ConnectionOptions, SecureContext, TLSSocket } from 'node:tls';
import { escapeControls } from '../diagnostics/index.ts';
import type { FetchError } from '../model/index.ts';
import { explainConnection } from './explain-connection.ts';
import type { Hop } from './fetch-hop.ts';
import { toFileAccessError } from './file-errors.ts';
import { isAddress, isInBlock, nameAddress } from '../kube/index.ts';
import type { SpecialAddress } from '../kube/index.ts';
import type { Environment } from './find-program.ts';

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
  const certificates = trust();
  if (certificates !== undefined && 'problem' in certificates) throw hop.refuse('connection', certificates.problem);
  return certificates?.secureContext;
}

/** The proxy for a request, or why there is none that can be used. */
type ProxyChoice = { readonly proxy: URL } | { readonly problem: string } | undefined;

/** The proxy that the environment sets for a URL; `undefined` if it is contacted directly. */
export function findProxy(url: URL, environment: Environment): ProxyChoice {
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : namesOfPlain(environment);
  const name = names.find((variable) => isSet(environment[variable]));
  // A proxy would contact its own machine instead of this one.
  if (name === undefined || isLocal(hostOf(url)) || isExempt(url, environment)) return undefined;
  const value = environment[name]!.trim();
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (/^https?:\/\/[^\s/\\?#]+\/?$/i.test(text) && URL.canParse(text) && canDecode(text))
    return { proxy: new URL(text) };
  // The value may contain a password.
  return { problem: `${name} must be the URL of an http:// or https:// proxy` };
}

/** In a CGI program, HTTP_PROXY is a header of the request: `Proxy`. */
function namesOfPlain(environment: Environment): readonly string[] {
  return isSet(environment['REQUEST_METHOD']) ? ['http_proxy'] : ['HTTP_PROXY', 'http_proxy'];
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** Without a dot at the end. */
function hostOf(url: URL): string {
  return placeOf(url).host.replace(/\.$/, '');
}

function isLocal(host: string): boolean {
  return isAddress(host) ? nameAddress(host) === 'loopback' : /(?:^|\.)localhost$/.test(host);
}

function isExempt(url: URL, { NO_PROXY, no_proxy }: Environment): boolean {
  const list = isSet(NO_PROXY) ? NO_PROXY : (no_proxy ?? '');
  const { port } = placeOf(url);
  return list.split(/[\s,]+/).some((entry) => entry !== '' && matches(entry.toLowerCase(), hostOf(url), port));
}

/** `*`, `example.com`, `.example.com`, `*.example.com`, `10.1.2.3`, `10.0.0.0/8`, `[fd00::1]`, each with a port or without. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isAddress(host) && isInBlock(host, entry.replace(/^\[(.*)\]/, '$1'));
  // An IPv6 address without brackets has no port.
  const [, bracketed, plain, wanted] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = (bracketed ?? plain ?? entry).replace(/\.$/, '');
  if (wanted !== undefined && wanted !== port) return false;
  if (isAddress(host)) return isInBlock(host, `${name}/${name.includes(':') ? 128 : 32}`);
  const domain = name.replace(/^\*?\./, '');
  if (domain === '') return false;
  return host.endsWith(`.${domain}`) || (domain === name && host === domain);
}

/** Where a URL leads to, for the options of a connection. */
interface UrlPlace {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: string;
  /** The name in its certificate, and empty for an address. Without it, Node takes that in the header `host`. */
  readonly servername: string;
}

function placeOf({ protocol, hostname, port }: URL): UrlPlace {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const usual = protocol === 'https:' ? '443' : '80';
  return { host, port: port === '' ? usual : port, servername: isAddress(host) ? '' : host };
}

/** `lookup` of `node:dns` with the option `all`. */
export type Lookup = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a host once for check and connection, so that a name cannot resolve to one address for the check and to another for the
 * connection. One forbidden address is enough to reject the name, because any of its addresses may be used.
 */
export function checkedLookup(
  refuse: (address: string) => Error | undefined,
  lookup: Lookup = systemLookup,
): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const problem = error ?? addresses.map(({ address }) => refuse(address)).find((refusal) => refusal !== undefined);
      const [first] = addresses ?? [];
      if (problem) callback(problem, '');
      else if (options.all === true) callback(null, addresses);
      else if (first !== undefined) callback(null, first.address, first.family);
      else callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
    });
  };
}

const systemLookup: Lookup = (host, options, callback) => {
  process.getBuiltinModule('node:dns').lookup(host, options, callback);
};

interface TunnelOptions {
  readonly proxy: URL;
  readonly secureContext: SecureContext | undefined;
  /** The reason of the signal becomes the error. */
  readonly signal: AbortSignal;
}

/** A connection to the server of an https:// URL through a proxy, which sees only its name and port. */
function openTunnel(hop: Hop, { proxy, secureContext, signal }: TunnelOptions): Promise<TLSSocket> {
  const { host, port, servername } = placeOf(hop.url);
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { request } = process.getBuiltinModule(proxy.protocol === 'https:' ? 'node:https' : 'node:http');
    const headers = { 'user-agent': 'kurel', host: target, ...proxyHeaders(proxy) };
    const place: RequestOptions & Pick<ConnectionOptions, 'secureContext'> = { ...placeOf(proxy), secureContext };
    const asking = request({ ...place, method: 'CONNECT', path: target, agent: false, headers });
    let opened: Socket | undefined;

    function settle(act: () => void): void {
      signal.removeEventListener('abort', onAbort);
      act();
    }
    function fail(error: unknown): void {
      settle(() => reject(error));
      opened?.destroy();
      asking.destroy();
    }
    function onAbort(): void {
      fail(signal.reason);
    }
    function failAsProxy(cause: unknown): void {
      fail(refuseProxy(hop, proxy, explainConnection(cause)));
    }
    function refuseAnswer({ statusCode = 0 }: IncomingMessage): void {
      fail(refuseProxy(hop, proxy, `it answered ${nameStatus(statusCode)}`));
    }

    /** Only the server itself has a certificate for its name. */
    function secure(socket: Socket): void {
      const { connect } = process.getBuiltinModule('node:tls');
      const tunnel = connect({ socket, host, servername, secureContext });
      opened = tunnel;
      tunnel.on('error', (cause) => fail(hop.refuse('connection', explainConnection(cause), { cause })));
      tunnel.on('close', () => fail(hop.refuse('connection', 'the connection was closed early')));
      tunnel.on('secureConnect', () => settle(() => resolve(tunnel)));
    }

    signal.addEventListener('abort', onAbort, { once: true });
    asking.on('error', failAsProxy);
    asking.on('response', refuseAnswer);
    asking.on('connect', (response, socket, head) => {
      opened = socket;
      socket.on('error', failAsProxy);
      if (response.statusCode !== 200) refuseAnswer(response);
      // The server does not send anything before its client does.
      else if (head.length > 0) fail(refuseProxy(hop, proxy, 'it does not forward the connection'));
      else secure(socket);
    });
    asking.end();
  });
}

/** The user and password of a proxy, for the proxy alone. */
function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function refuseProxy(hop: Hop, { host }: URL, reason: string): FetchError {
  return hop.refuse('connection', `the proxy ${JSON.stringify(host)} cannot be used: ${reason}`);
}

/** The standard name of a status, because a server can send any text. */
export function nameStatus(status: number): string {
  const name = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}

/** Certificates to trust, or why they cannot be used. */
type Trust = { readonly secureContext: SecureContext } | { readonly problem: string } | undefined;

/**
 * Adds the certificates in the file that SSL_CERT_FILE names to those that are trusted anyway. They are read once. `undefined` without that
 * variable: Node and Bun themselves add those in the file that NODE_EXTRA_CA_CERTS names.
 */
export function createTrust(environment: Environment): () => Trust {
  let read: { readonly trust: Trust } | undefined;
  return () => (read ??= { trust: loadTrust(environment) }).trust;
}

function loadTrust({ SSL_CERT_FILE: file = '', NODE_EXTRA_CA_CERTS: extra = '' }: Environment): Trust {
  if (file === '') return undefined;
  try {
    const own = readCertificates(file);
    if (own.length === 0) return { problem: `SSL_CERT_FILE names ${JSON.stringify(file)}, which has no certificates` };
    const ca = [...new Set([...listTrusted(), ...(extra === '' ? [] : readExtra(extra)), ...own])];
    return { secureContext: process.getBuiltinModule('node:tls').createSecureContext({ ca }) };
  } catch (error) {
    const detail = error instanceof Error && 'code' in error ? toFileAccessError(file, error).detail : String(error);
    return { problem: `SSL_CERT_FILE names ${JSON.stringify(file)}, which cannot be used: ${escapeControls(detail)}` };
  }
}

/** Node and Bun warn if it cannot be read. */
function readExtra(file: string): readonly string[] {
  try {
    return readCertificates(file);
  } catch {
    return [];
  }
}

function readCertificates(file: string): readonly string[] {
  return readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Those of the runtime; later releases of Node can add those of the system. */
function listTrusted(): readonly string[] {
  const { getCACertificates, rootCertificates }: CertificateLists = process.getBuiltinModule('node:tls');
  return getCACertificates?.('default') ?? rootCertificates;
}

interface CertificateLists {
  readonly rootCertificates: readonly string[];
  /** Since Node 22.15. */
  readonly getCACertificates?: (type: 'default') => readonly string[];
}
