import { isIpv4 } from '../../schema/index.ts';

/** The bits of an IPv4 or IPv6 address that is known to be one. */
export function addressBits(text: string): bigint {
  if (isIpv4(text)) return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const groups =
    tail === undefined ? before : [...before, ...Array<bigint>(8 - before.length - after.length).fill(0n), ...after];
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n);
}

function groupsOf(half: string): bigint[] {
  if (half === '') return [];
  return half.split(':').flatMap((part) => {
    if (!part.includes('.')) return [BigInt(`0x${part}`)];
    const bits = addressBits(part);
    return [bits >> 16n, bits & 0xffffn];
  });
}

/** The one text for an address: the longest run of zeros is left out, as RFC 5952 says. */
export function formatAddress(bits: bigint, width: 32 | 128): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const text = groups.join(':');
  const runs = text.match(/\b0(?::0)+\b/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const start = text.indexOf(longest);
  return `${text.slice(0, start).replace(/:$/, '')}::${text.slice(start + longest.length).replace(/^:/, '')}`;
}
