/** The signal's reason is thrown as it is, never wrapped, so that callers recognise their own reason. */
export function throwIfAborted(context: { readonly signal: AbortSignal }): void {
  if (context.signal.aborted) throw context.signal.reason;
}
