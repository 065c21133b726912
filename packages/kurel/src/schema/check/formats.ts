import { parseDuration } from '../../kube/index.ts';
import type { Json } from '../../model/index.ts';
import type { SchemaType } from '../schema-node.ts';

/** A rule for values of one type. */
export interface Format {
  /** The end of `must be …`. */
  readonly expected: string;
  /** Values of another type pass, because their type is checked elsewhere. */
  fits(value: Json): boolean;
}

/** The rule of a format; `undefined` for formats that Kubernetes does not check. */
export function findFormat(type: SchemaType, format: string | undefined): Format | undefined {
  if (format === unbounded) return undefined;
  // Integers without a format have 64 bits everywhere in Kubernetes.
  if (type === 'integer') return format === 'int32' ? int32 : int64;
  if (type === 'int-or-string') return int64;
  // Alternatives often leave the type to the schema that they narrow.
  return format === undefined || (type !== 'string' && type !== 'any') ? undefined : texts.get(format);
}

/** For integers that no Kubernetes type stores, such as parameters. */
export const unbounded = 'unbounded';

export const int32: Format = {
  expected: 'an integer between -2147483648 and 2147483647',
  fits: (value) => typeof value !== 'bigint' && (typeof value !== 'number' || Math.trunc(value) === (value | 0)),
};
const least = -(2n ** 63n);
const int64: Format = {
  expected: 'a 64-bit integer',
  fits: (value) => typeof value !== 'bigint' || (value >= least && value < -least),
};

const email = /^[^\s@]+@[^\s@]+$|<[^\s@]+@[^\s@]+>$/;
const longestAddress = 1000;
const hostname =
  /^(?=.{1,255}$)[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?)*\.?$/;
const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
// go-openapi's names for units, in addition to those of Go durations.
const spokenDuration =
  /^\s*\d+\s*(?:ns|nanos?|nanoseconds?|us|\u00b5s|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)\s*$/;

const texts = new Map<string, Format>([
  ['date-time', onText('a time such as 2006-01-02T15:04:05Z', (text) => isDate(dateTime.exec(text)))],
  ['datetime', onText('a time such as 2006-01-02T15:04:05Z', (text) => isDate(dateTime.exec(text)))],
  ['date', onText('a date such as 2006-01-02', (text) => isDate(/^(\d{4})-(\d\d)-(\d\d)$/.exec(text)))],
  ['byte', onText('base64', isBase64)],
  [
    'duration',
    onText('a duration such as 1h30m', (text) => parseDuration(text) !== undefined || spokenDuration.test(text)),
  ],
  ['ipv4', onText('an IPv4 address', isIpv4)],
  ['ipv6', onText('an IPv6 address', isIpv6)],
  ['ip', onText('an IP address', isIp)],
  ['cidr', onText('a network such as 10.0.0.0/8', isCidr)],
  ['mac', onText('a MAC address', /^[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4})$/)],
  ['uri', onText('a URI', /^(?:[A-Za-z][-+.A-Za-z0-9]*:\S+|\/\S*)$/)],
  ['email', onText('an e-mail address', (text) => text.length <= longestAddress && email.test(text))],
  ['hostname', onText('a host name', hostname)],
  ['uuid', onText('a UUID', uuidPattern('', ''))],
  ['uuid3', onText('a UUID of version 3', uuidPattern('3', ''))],
  ['uuid4', onText('a UUID of version 4', uuidPattern('4', '[89ab]'))],
  ['uuid5', onText('a UUID of version 5', uuidPattern('5', '[89ab]'))],
]);

function onText(expected: string, rule: RegExp | ((text: string) => boolean)): Format {
  const fits = rule instanceof RegExp ? (text: string): boolean => rule.test(text) : rule;
  return { expected, fits: (value) => typeof value !== 'string' || fits(value) };
}

/** With what the third and the fourth group start with. */
function uuidPattern(version: string, variant: string): RegExp {
  const [third, fourth] = [version, variant].map((start) => `${start}[0-9a-f]{${start === '' ? 4 : 3}}`);
  return new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
}

function isDate(match: RegExpExecArray | null): boolean {
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** Ignores line breaks, like Go's decoder. */
function isBase64(text: string): boolean {
  const packed = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, '') : text;
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
}

const octet = /^(?:0|[1-9]\d{0,2})$/;

/** Without leading zeros, which Go rejects because some readers treat them as octal. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => octet.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  return bitsOfIpv6(text) !== undefined;
}

export function isIp(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

export function isCidr(text: string): boolean {
  return readNetwork(text) !== undefined;
}

/** A network as numbers: the bits of its address and the length of its prefix. */
export interface Network {
  readonly bits: bigint;
  readonly size: 32 | 128;
  readonly prefix: number;
}

/** `undefined` if the text is not a network. */
export function readNetwork(text: string): Network | undefined {
  const [, address = '', length] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const [bits, size] = isIpv4(address) ? ([bitsOfIpv4(address), 32] as const) : ([bitsOfIpv6(address), 128] as const);
  const prefix = Number(length);
  return bits === undefined || prefix > size ? undefined : { bits, size, prefix };
}

/** Whether no bit is set after the prefix. */
export function isExact({ bits, size, prefix }: Network): boolean {
  return bits % (1n << BigInt(size - prefix)) === 0n;
}

/** Whether a network is part of another, or the same. */
export function isWithin(inner: Network, outer: Network): boolean {
  const shift = BigInt(outer.size - outer.prefix);
  return inner.size === outer.size && inner.prefix >= outer.prefix && inner.bits >> shift === outer.bits >> shift;
}

function bitsOfIpv4(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

/** `undefined` if the text is not an IPv6 address. */
function bitsOfIpv6(text: string): bigint | undefined {
  if (text.length > 45 || !text.includes(':')) return undefined;
  // An embedded IPv4 address can only be at the very end.
  const plain = text.replace(/[^:]*\.[^:]*$/, (ipv4) => {
    if (!isIpv4(ipv4)) return ipv4;
    const bits = bitsOfIpv4(ipv4);
    return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
  });
  const [first = [], last, ...more] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - first.length - (last?.length ?? 0);
  if (more.length > 0 || (last === undefined ? missing !== 0 : missing < 1)) return undefined;
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...(last ?? [])];
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return undefined;
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
