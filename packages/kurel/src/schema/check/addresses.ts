const octet = /^(?:0|[1-9]\d{0,2})$/;

/** Without leading zeros, which Go rejects because some readers treat them as octal. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => octet.test(part) && Number(part) <= 255);
}

export function isIpv6(text: string): boolean {
  if (text.length > 45 || !text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map(countGroups);
  if (groups.includes(-1)) return false;
  // An embedded IPv4 address can only be at the very end.
  if (halves.length === 2 && halves[0]!.includes('.')) return false;
  const count = groups.reduce((sum, size) => sum + size, 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}

export function isIp(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const [address, prefix] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash === -1 || !/^(?:0|[1-9]\d{0,2})$/.test(prefix)) return false;
  return (isIpv4(address) && Number(prefix) <= 32) || (isIpv6(address) && Number(prefix) <= 128);
}

/** Groups of 16 bits in a half of an IPv6 address; -1 if it is invalid. */
function countGroups(half: string): number {
  if (half === '') return 0;
  const parts = half.split(':');
  const last = parts.at(-1)!;
  const hasIpv4 = last.includes('.');
  if (hasIpv4 && !isIpv4(last)) return -1;
  const plain = hasIpv4 ? parts.slice(0, -1) : parts;
  return plain.every((part) => /^[0-9A-Fa-f]{1,4}$/.test(part)) ? plain.length + (hasIpv4 ? 2 : 0) : -1;
}

/** A network as numbers: the bits of its address and the length of its prefix. */
export interface Network {
  readonly bits: bigint;
  readonly size: 32 | 128;
  readonly prefix: number;
}

/** `undefined` if the text is not a network. */
export function readNetwork(text: string): Network | undefined {
  if (!isCidr(text)) return undefined;
  const [address = '', prefix = ''] = text.split('/');
  const size = isIpv4(address) ? 32 : 128;
  return { bits: size === 32 ? bitsOfIpv4(address) : bitsOfIpv6(address), size, prefix: Number(prefix) };
}

/** Whether no bit is set after the prefix. */
export function isExact({ bits, size, prefix }: Network): boolean {
  return bits % (1n << BigInt(size - prefix)) === 0n;
}

/** Whether a network is part of another and smaller than it. */
export function isWithin(inner: Network, outer: Network): boolean {
  const shift = BigInt(outer.size - outer.prefix);
  return inner.size === outer.size && inner.prefix > outer.prefix && inner.bits >> shift === outer.bits >> shift;
}

function bitsOfIpv4(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function bitsOfIpv6(address: string): bigint {
  const plain = address.replace(/[^:]*\.[^:]*$/, (ipv4) => {
    const bits = bitsOfIpv4(ipv4);
    return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
  });
  const [front = '', back] = plain.split('::');
  const groups = (half: string): string[] => (half === '' ? [] : half.split(':'));
  const [first, last] = [groups(front), groups(back ?? '')];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
