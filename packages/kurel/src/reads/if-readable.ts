import { FileAccessError } from '../model/index.ts';
import type { Awaitable } from '../model/index.ts';

/** The result of reading something, or the fallback if it cannot be read. */
export async function ifReadable<Result, Fallback>(
  read: () => Awaitable<Result>,
  fallback: Fallback,
): Promise<Result | Fallback> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FileAccessError) return fallback;
    throw error;
  }
}
