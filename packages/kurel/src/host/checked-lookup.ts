import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

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
      const problem = error ?? addresses.map(({ address }) => refuse(address)).find((one) => one !== undefined);
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
