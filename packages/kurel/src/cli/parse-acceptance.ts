import type { Acceptance } from '../index.ts';
import { UsageError } from './usage-error.ts';

/** `--accept CODE[=OBJECT]`; whether there is such a code and object is checked by the build. */
export function parseAcceptance(text: string): Acceptance {
  const [code = '', ...rest] = text.split('=');
  const object = rest.length === 0 ? undefined : rest.join('=');
  if (code === '' || object === '') {
    throw new UsageError(
      `--accept ${JSON.stringify(text)} is incomplete`,
      'write --accept CODE or --accept CODE=OBJECT, such as --accept namespace-missing=deployment/web',
    );
  }
  return { code, object, reason: 'accepted with --accept' };
}
