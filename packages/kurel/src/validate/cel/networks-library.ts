import type { Environment } from '@marcbachmann/cel-js';
import { isCidr, isIp, isIpv4, readNetwork as readCidr } from '../../schema/index.ts';

/** The result of `ip('…')` in a rule. */
class Address {
  readonly bits: bigint;
  readonly width: 32 | 128;

  constructor(bits: bigint, width: 32 | 128) {
    this.bits = bits;
    this.width = width;
  }
}

class Network {
  readonly address: Address;
  readonly prefix: number;

  constructor(address: Address, prefix: number) {
    this.address = address;
    this.prefix = prefix;
  }
}

/** The parts of a URL as written; the `URL` class of the platform drops default ports. */
class Url {
  readonly parts: UrlParts;

  constructor(parts: UrlParts) {
    this.parts = parts;
  }
}

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** The value of `ip` in `ip.isCanonical('…')`. */
class IpNamespace {
  readonly name = 'ip';
}

/** Kubernetes' functions on addresses, networks and URLs. */
export function registerNetworks(environment: Environment): void {
  environment
    .registerType('net.IP', Address)
    .registerType('net.CIDR', Network)
    .registerType('kubernetes.URL', Url)
    .registerType('IpNamespace', IpNamespace)
    .registerConstant('ip', 'IpNamespace', new IpNamespace())
    .registerFunction('isIP(string): bool', isIp)
    .registerFunction('ip(string): net.IP', readAddress)
    .registerFunction(
      'IpNamespace.isCanonical(string): bool',
      (_: unknown, text: string) => show(readAddress(text)) === text,
    )
    .registerFunction('net.IP.family(): int', ({ width }: Address) => (width === 32 ? 4n : 6n))
    .registerFunction('net.IP.isUnspecified(): bool', ({ bits }: Address) => bits === 0n)
    .registerFunction('net.IP.isLoopback(): bool', ({ bits, width }: Address) =>
      width === 32 ? bits >> 24n === 127n : bits === 1n,
    )
    .registerFunction('net.IP.isLinkLocalUnicast(): bool', ({ bits, width }: Address) =>
      width === 32 ? bits >> 16n === 0xa9fen : bits >> 118n === 0x3fan,
    )
    .registerFunction('net.IP.isLinkLocalMulticast(): bool', ({ bits, width }: Address) =>
      width === 32 ? bits >> 8n === 0xe00000n : bits >> 112n === 0xff02n,
    )
    .registerFunction('net.IP.isGlobalUnicast(): bool', isGlobalUnicast)
    .registerFunction('string(net.IP): string', show)
    .registerFunction('isCIDR(string): bool', isCidr)
    .registerFunction('cidr(string): net.CIDR', readNetwork)
    .registerFunction('net.CIDR.ip(): net.IP', ({ address }: Network) => address)
    .registerFunction('net.CIDR.prefixLength(): int', ({ prefix }: Network) => BigInt(prefix))
    .registerFunction('net.CIDR.masked(): net.CIDR', mask)
    .registerFunction('string(net.CIDR): string', ({ address, prefix }: Network) => `${show(address)}/${prefix}`)
    .registerFunction('net.CIDR.containsIP(net.IP): bool', containsAddress)
    .registerFunction('net.CIDR.containsIP(string): bool', (network: Network, text: string) =>
      containsAddress(network, readAddress(text)),
    )
    .registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', containsNetwork)
    .registerFunction('net.CIDR.containsCIDR(string): bool', (network: Network, text: string) =>
      containsNetwork(network, readNetwork(text)),
    )
    .registerFunction('isURL(string): bool', (text: string) => parseUrl(text) !== undefined)
    .registerFunction('url(string): kubernetes.URL', readUrl)
    .registerFunction('kubernetes.URL.getScheme(): string', ({ parts }: Url) => parts.scheme)
    .registerFunction('kubernetes.URL.getHost(): string', ({ parts }: Url) => parts.host)
    .registerFunction('kubernetes.URL.getHostname(): string', ({ parts: { host } }: Url) =>
      host.replace(/:\d*$/, '').replaceAll(/[[\]]/g, ''),
    )
    .registerFunction('kubernetes.URL.getPort(): string', ({ parts: { host } }: Url) => /:(\d+)$/.exec(host)?.[1] ?? '')
    .registerFunction('kubernetes.URL.getEscapedPath(): string', ({ parts }: Url) => parts.path)
    .registerFunction('kubernetes.URL.getQuery(): map<string, list<string>>', ({ parts }: Url) => {
      const entries = new URLSearchParams(parts.query);
      return Object.fromEntries([...new Set(entries.keys())].map((key) => [key, entries.getAll(key)]));
    });
}

function readAddress(text: string): Address {
  if (!isIp(text)) throw new Error(`${text} is not an IP address`);
  const width = isIpv4(text) ? 32 : 128;
  return new Address(readCidr(`${text}/${width}`)!.bits, width);
}

function readNetwork(text: string): Network {
  const network = readCidr(text);
  if (network === undefined) throw new Error(`${text} is not a CIDR`);
  return new Network(new Address(network.bits, network.size), network.prefix);
}

function mask({ address, prefix }: Network): Network {
  const shift = BigInt(address.width - prefix);
  return new Network(new Address((address.bits >> shift) << shift, address.width), prefix);
}

function containsAddress({ address, prefix }: Network, other: Address): boolean {
  const shift = BigInt(address.width - prefix);
  return other.width === address.width && other.bits >> shift === address.bits >> shift;
}

function containsNetwork(network: Network, other: Network): boolean {
  return other.prefix >= network.prefix && containsAddress(network, other.address);
}

function isGlobalUnicast({ bits, width }: Address): boolean {
  if (width === 32)
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
function show({ bits, width }: Address): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const text = groups.join(':');
  const runs = text.match(/\b0(?::0)+\b/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const start = text.indexOf(longest);
  return `${text.slice(0, start).replace(/:$/, '')}::${text.slice(start + longest.length).replace(/^:/, '')}`;
}
