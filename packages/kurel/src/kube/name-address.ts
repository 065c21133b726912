/** The kind of an address that is not on the public internet, or that is a metadata service of a cloud. */
export type SpecialAddress =
  | 'loopback'
  | 'link-local'
  | 'private'
  | 'metadata'
  | 'multicast'
  | 'unspecified'
  | 'reserved';

// The blocks of the IANA special-purpose registries (RFC 6890) that are not globally reachable.
const blocks4: readonly (readonly [block: string, kind: SpecialAddress])[] = [
  // Metadata services other than 169.254.169.254: Alibaba, Azure and Oracle.
  ['100.100.100.200/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'reserved'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'reserved'],
  ['203.0.113.0/24', 'reserved'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

const blocks6: readonly (readonly [block: string, kind: SpecialAddress])[] = [
  // Metadata services with IPv6: AWS and Google.
  ['fd00:ec2::/64', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['fc00::/7', 'private'],
  ['ff00::/8', 'multicast'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'reserved'],
  ['2002::/16', 'reserved'],
  ['3fff::/20', 'reserved'],
];

/** IPv6 blocks whose last 32 bits are the IPv4 address of the destination: compatible, mapped, translated, NAT64. */
const carriers = ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'];
/** The block from which IANA assigns global unicast addresses. */
const unicast = '2000::/3';

/** `undefined` for an address on the public internet. An invalid address counts as reserved. */
export function nameAddress(address: string): SpecialAddress | undefined {
  return address.includes(':') ? nameAddress6(address) : nameAddress4(readAddress4(address));
}

function nameAddress4(address: bigint | undefined): SpecialAddress | undefined {
  if (address === undefined) return 'reserved';
  return blocks4.find(([block]) => isIn(address, block))?.[1];
}

function nameAddress6(text: string): SpecialAddress | undefined {
  const address = readAddress6(text);
  if (address === undefined) return 'reserved';
  const special = blocks6.find(([block]) => isIn(address, block));
  if (special !== undefined) return special[1];
  if (carriers.some((block) => isIn(address, block))) return nameAddress4(address & 0xffff_ffffn);
  return isIn(address, unicast) ? undefined : 'reserved';
}

/** Whether a host is an address and not a name. The URL class normalizes every notation of an address. */
export function isAddress(host: string): boolean {
  return /^[\d.]+$|:/.test(host);
}

/** Whether an address is in a block such as `10.0.0.0/8`. Both may be anything. */
export function isInBlock(address: string, block: string): boolean {
  const [start = '', length = '', ...more] = block.split('/');
  const isLong = start.includes(':');
  const read = isLong ? readAddress6 : readAddress4;
  const bits = address.includes(':') === isLong ? read(address) : undefined;
  if (bits === undefined || read(start) === undefined || more.length > 0) return false;
  return /^\d{1,3}$/.test(length) && Number(length) <= (isLong ? 128 : 32) && isIn(bits, block);
}

function isIn(address: bigint, block: string): boolean {
  const [start = '', length] = block.split('/');
  const isLong = start.includes(':');
  const rest = BigInt((isLong ? 128 : 32) - Number(length));
  return address >> rest === (isLong ? readAddress6(start)! : readAddress4(start)!) >> rest;
}

function readAddress4(text: string): bigint | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte < 256) ? bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) : undefined;
}

/** The URL class normalizes every notation of an address, but does not accept a zone, as in `fe80::1%eth0`. */
function readAddress6(text: string): bigint | undefined {
  const address = /^([\da-f:.]+)(?:%.*)?$/i.exec(text)?.[1];
  if (address === undefined || !URL.canParse(`http://[${address}]`)) return undefined;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [front, back] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - front!.length - back!.length }, () => '0');
  return [...front!, ...zeros, ...back!].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
