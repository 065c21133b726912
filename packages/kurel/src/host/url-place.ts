import { isAddress } from './name-address.ts';

/** Where a URL leads to, for the options of a connection. */
interface UrlPlace {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: string;
  /** The name in its certificate, and empty for an address. Without it, Node takes that in the header `host`. */
  readonly servername: string;
}

export function placeOf({ protocol, hostname, port }: URL): UrlPlace {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const usual = protocol === 'https:' ? '443' : '80';
  return { host, port: port === '' ? usual : port, servername: isAddress(host) ? '' : host };
}
