import { describe } from 'vitest';

import { hasGo } from '../../../test/oracles/schema/ask-oracle.ts';

/** Tests that ask Kubernetes' own code: without Go they are skipped loudly, and fail where `CI` is `true`, as in `npm run ci:full`. */
export function describeWithGo(name: string, body: () => void): void {
  if (!hasGo()) console.warn(`SKIPPED: ${name}: Go is not on PATH`);
  (hasGo() || process.env['CI'] === 'true' ? describe : describe.skip)(name, body);
}
