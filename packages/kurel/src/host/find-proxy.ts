import type { Environment } from './find-program.ts';
import { isAddress, isInBlock, nameAddress } from './name-address.ts';
import { placeOf } from './url-place.ts';

/** The proxy for a request, or why there is none that can be used. */
export type ProxyChoice = { readonly proxy: URL } | { readonly problem: string } | undefined;

/** The proxy that the environment sets for a URL; `undefined` if it is contacted directly. */
export function findProxy(url: URL, environment: Environment): ProxyChoice {
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : namesOfPlain(environment);
  const name = names.find((one) => isSet(environment[one]));
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
