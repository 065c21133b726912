import { deepMerge } from '../index.ts';
import { loadPatchPackage } from '../index.ts';
import type { PackageRequest } from '../index.ts';
import type { Values } from '../model/index.ts';

/** The parameters of a package and of its local extension, unresolved; `undefined` when they cannot be read, which is not told. */
export async function readOwnParameters(request: PackageRequest): Promise<Values | undefined> {
  const found = await loadPatchPackage(request, () => undefined);
  return found?.layers.reduce<Values>((below, { data }) => deepMerge(below, data), {});
}
