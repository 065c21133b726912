/** Starts the work on all items in order, with at most `most` at the same time. The results are in the order of the items. */
export async function settleAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const settled: PromiseSettledResult<Result>[] = [];
  // All workers share one iterator, so that each item is worked on once and in order.
  const queue = items.entries();
  async function workOnQueue(): Promise<void> {
    for (const [index, item] of queue) [settled[index]] = await Promise.allSettled([work(item)]);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOnQueue));
  return settled;
}
