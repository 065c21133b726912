import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** As `lookup` of `node:dns` is, when it is asked for all addresses. */
export type Lookup = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Gives a connection the addresses that were checked, so that a name cannot mean one address for the check and another for
 * the connection. One address that is refused is enough to refuse the name: nobody knows which one will be taken.
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
