import type { Environment } from '@marcbachmann/cel-js';
import { isCidr, isIp, isIpv4, isWithin, readNetwork } from '../../schema/index.ts';
import type { Network } from '../../schema/index.ts';
import { Held, registerFunctions } from './libraries.ts';
import type { Functions } from './libraries.ts';

/** The result of `ip('…')` in a rule: a network of a single address. */
class Address extends Held<Network> {}

/** The result of `cidr('…')`. */
class Cidr extends Held<Network> {}

/** The result of `url('…')`: the parts as written; the `URL` class of the platform drops default ports. */
class Url extends Held<UrlParts> {}

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** The value of `ip` in `ip.isCanonical('…')`. */
class IpNamespace extends Held<'ip'> {}

const functions: Functions = {
  'isIP(string): bool': isIp,
  'ip(string): net.IP': readAddress,
  'IpNamespace.isCanonical(string): bool': (_: unknown, text: string) => show(readAddress(text)) === text,
  'net.IP.family(): int': ({ held: { size } }: Address) => (size === 32 ? 4n : 6n),
  'net.IP.isUnspecified(): bool': ({ held: { bits } }: Address) => bits === 0n,
  'net.IP.isLoopback(): bool': ({ held: { bits, size } }: Address) =>
    size === 32 ? bits >> 24n === 127n : bits === 1n,
  'net.IP.isLinkLocalUnicast(): bool': ({ held: { bits, size } }: Address) =>
    size === 32 ? bits >> 16n === 0xa9fen : bits >> 118n === 0x3fan,
  'net.IP.isLinkLocalMulticast(): bool': ({ held: { bits, size } }: Address) =>
    size === 32 ? bits >> 8n === 0xe00000n : bits >> 112n === 0xff02n,
  'net.IP.isGlobalUnicast(): bool': isGlobalUnicast,
  'string(net.IP): string': show,
  'isCIDR(string): bool': isCidr,
  'cidr(string): net.CIDR': readCidr,
  'net.CIDR.ip(): net.IP': ({ held }: Cidr) => new Address({ ...held, prefix: held.size }),
  'net.CIDR.prefixLength(): int': ({ held }: Cidr) => BigInt(held.prefix),
  'net.CIDR.masked(): net.CIDR': mask,
  'string(net.CIDR): string': (network: Cidr) => `${show(network)}/${network.held.prefix}`,
  'net.CIDR.containsIP(net.IP): bool': contains,
  'net.CIDR.containsIP(string): bool': (network: Cidr, text: string) => contains(network, readAddress(text)),
  'net.CIDR.containsCIDR(net.CIDR): bool': contains,
  'net.CIDR.containsCIDR(string): bool': (network: Cidr, text: string) => contains(network, readCidr(text)),
  'isURL(string): bool': (text: string) => parseUrl(text) !== undefined,
  'url(string): kubernetes.URL': readUrl,
  'kubernetes.URL.getScheme(): string': ({ held }: Url) => held.scheme,
  'kubernetes.URL.getHost(): string': ({ held }: Url) => held.host,
  'kubernetes.URL.getHostname(): string': ({ held }: Url) => held.host.replace(/:\d*$/, '').replaceAll(/[[\]]/g, ''),
  'kubernetes.URL.getPort(): string': ({ held }: Url) => /:(\d+)$/.exec(held.host)?.[1] ?? '',
  'kubernetes.URL.getEscapedPath(): string': ({ held }: Url) => held.path,
  'kubernetes.URL.getQuery(): map<string, list<string>>': ({ held }: Url) => {
    const entries = new URLSearchParams(held.query);
    return Object.fromEntries([...new Set(entries.keys())].map((key) => [key, entries.getAll(key)]));
  },
};

/** Kubernetes' functions on addresses, networks and URLs. */
export function registerNetworks(environment: Environment): void {
  environment
    .registerType('net.IP', Address)
    .registerType('net.CIDR', Cidr)
    .registerType('kubernetes.URL', Url)
    .registerType('IpNamespace', IpNamespace)
    .registerConstant('ip', 'IpNamespace', new IpNamespace('ip'));
  registerFunctions(environment, functions);
}

function readAddress(text: string): Address {
  if (!isIp(text)) throw new Error(`${text} is not an IP address`);
  return new Address(readNetwork(`${text}/${isIpv4(text) ? 32 : 128}`)!);
}

function readCidr(text: string): Cidr {
  const network = readNetwork(text);
  if (network === undefined) throw new Error(`${text} is not a CIDR`);
  return new Cidr(network);
}

function mask({ held }: Cidr): Cidr {
  const shift = BigInt(held.size - held.prefix);
  return new Cidr({ ...held, bits: (held.bits >> shift) << shift });
}

function contains(outer: Cidr, inner: Cidr | Address): boolean {
  return isWithin(inner.held, outer.held);
}

function isGlobalUnicast({ held: { bits, size } }: Address): boolean {
  if (size === 32)
    return (
      bits !== 0n && bits !== 0xffffffffn && bits >> 24n !== 127n && bits >> 28n !== 0xen && bits >> 16n !== 0xa9fen
    );
  return bits !== 0n && bits !== 1n && bits >> 120n !== 0xffn && bits >> 118n !== 0x3fan;
}

const absolute = /^(?:([A-Za-z][-+.A-Za-z0-9]*):\/\/(?:[^/?#@]*@)?([^/?#]*))?(\/[^?#]*)?(?:\?([^#]*))?$/;

/** Absolute URLs and absolute paths, as Go's ParseRequestURI accepts them. */
function parseUrl(text: string): Url | undefined {
  const match = absolute.exec(text);
  if (match === null || !(text.startsWith('/') || URL.canParse(text))) return undefined;
  const [, scheme = '', host = '', path = '', query = ''] = match;
  return new Url({ scheme, host, path, query });
}

function readUrl(text: string): Url {
  const url = parseUrl(text);
  if (url === undefined) throw new Error(`${text} is not a URL`);
  return url;
}

/** The canonical form of an address by RFC 5952, without the longest run of zeros. */
function show({ held: { bits, size } }: Address | Cidr): string {
  if (size === 32) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const text = groups.join(':');
  const runs = text.match(/\b0(?::0)+\b/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const start = text.indexOf(longest);
  return `${text.slice(0, start).replace(/:$/, '')}::${text.slice(start + longest.length).replace(/^:/, '')}`;
}
