import { accessFrom } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { openRegistry } from './registry-session.ts';
import { largestAnswer } from './upload-blob.ts';

/** Logs in to a registry. Throws a `FetchError` if it refuses the credentials; returns whether it has asked for them at all. */
export async function checkLogin(host: string, access: FetchAccess): Promise<boolean> {
  let wasAsked = false;
  const session = openRegistry(
    { host },
    {
      ...accessFrom(`oci://${host}`, access),
      async credentialsFor(name) {
        wasAsked = true;
        return await access.credentialsFor?.(name);
      },
    },
  );
  await session.send('', { maxBytes: largestAnswer });
  return wasAsked;
}
