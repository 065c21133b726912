import { settleAtOnce } from '../../engine/index.ts';

/** Registries limit requests. */
const mostFetches = 6;

/** Works on several items at the same time. The results are in the order of the items, and so is the first error. */
export async function fetchAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const settled = await settleAtOnce(items, mostFetches, work);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
