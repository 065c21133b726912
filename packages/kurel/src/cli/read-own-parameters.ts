import { deepMerge } from '../index.ts';
import { loadPatchPackage } from '../index.ts';
import type { PackageRequest } from '../index.ts';
import type { Values } from '../model/index.ts';

/** Unresolved parameters of a package and its local extension; `undefined` if they cannot be read, which the caller reports. */
export async function readOwnParameters(request: PackageRequest): Promise<Values | undefined> {
  const found = await loadPatchPackage(request, () => undefined);
  return found?.layers.reduce<Values>((below, { data }) => deepMerge(below, data), {});
}
