import type { Awaitable, RenderContext, Values } from '../model/index.ts';

/** Values as a tree, or a function that gives them on every render; nothing counts as no values. */
export type ValuesSource = Values | ((context: RenderContext) => Awaitable<Values | null | undefined>);

export function resolveValues(
  source: ValuesSource | undefined,
  context: RenderContext,
): Awaitable<Values | null | undefined> {
  return typeof source === 'function' ? source(context) : source;
}
