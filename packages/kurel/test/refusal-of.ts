import { expect } from 'vitest';
import { FetchError } from '../src/model/index.ts';

/** The error of a request that must fail. */
export async function refusalOf(result: Promise<unknown>): Promise<FetchError> {
  const error: unknown = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FetchError);
  return error as FetchError;
}
