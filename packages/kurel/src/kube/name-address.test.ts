import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameAddress } from './name-address.ts';

describe('nameAddress', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['9.255.255.255', undefined],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['11.0.0.0', undefined],
    ['100.63.255.255', undefined],
    ['100.64.0.0', 'private'],
    ['100.127.255.255', 'private'],
    ['100.100.100.199', 'private'],
    ['100.100.100.200', 'metadata'],
    ['168.63.129.15', undefined],
    ['168.63.129.16', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['100.128.0.0', undefined],
    ['126.255.255.255', undefined],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['128.0.0.0', undefined],
    ['169.253.255.255', undefined],
    ['169.254.169.254', 'link-local'],
    ['169.255.0.0', undefined],
    ['172.15.255.255', undefined],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.0', undefined],
    ['192.0.0.8', 'reserved'],
    ['192.167.255.255', undefined],
    ['192.168.0.1', 'private'],
    ['192.169.0.0', undefined],
    ['198.17.255.255', undefined],
    ['198.19.0.1', 'reserved'],
    ['223.255.255.255', undefined],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['8.8.8.8', undefined],
  ])('%s', (address, expected) => {
    expect(nameAddress(address)).toBe(expected);
  });

  it.each([
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::2', 'unspecified'],
    ['fe80::1', 'link-local'],
    ['febf:ffff::', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fec0::1', 'private'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'metadata'],
    ['fd00:ec3::254', 'private'],
    ['fd20:ce::254', 'metadata'],
    ['::ffff:168.63.129.16', 'metadata'],
    ['64:ff9b::6464:64c8', 'metadata'],
    ['FDFF::', 'private'],
    ['ff02::1', 'multicast'],
    ['fe00::1', 'reserved'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['::ffff:8.8.8.8', undefined],
    ['::ffff:0:10.0.0.1', 'private'],
    ['::127.0.0.1', 'loopback'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['64:ff9b::8.8.8.8', undefined],
    ['64:ff9b:1::8.8.8.8', 'reserved'],
    ['2002:7f00:1::', 'reserved'],
    ['2001::1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['2001:4860:4860::8888', undefined],
    ['2606:4700::1111', undefined],
    ['3fff:fff::1', 'reserved'],
    ['3fff:1000::1', undefined],
    ['4000::1', 'reserved'],
    ['100::1', 'reserved'],
  ])('%s', (address, expected) => {
    expect(nameAddress(address)).toBe(expected);
  });

  it.each(['', 'example.com', '1.2.3', '1.2.3.256', '127.1', '0x7f.0.0.1', ':', '1:2', '::1]/@8.8.8.8['])(
    'treats %j, which is not an address, as reserved',
    (text) => expect(nameAddress(text)).toBe('reserved'),
  );

  it('returns the same for an IPv4 address inside an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(nameAddress(`::ffff:${address}`)).toBe(nameAddress(address));
        expect(nameAddress(`64:ff9b::${address}`)).toBe(nameAddress(address));
      }),
    );
  });

  it('classifies every IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const [first = ''] = address.split(':');
        const isGlobal = nameAddress(address) === undefined;
        if (isGlobal) expect(first).toMatch(/^(?:[23][\da-f]{3}|0*64|0*)$/i);
      }),
    );
  });
});
