// What every build needs of this room: `index.ts` brings all renderers along, and a build reads the code of those that it uses.
import type { PolicyRequest } from './application/load-policy.ts';
import type { Report } from '../model/index.ts';
import type { RuleLayer } from '../validate/door.ts';
export { createInputRenderer } from './create-input-renderer.ts';
export { findAcceptanceFiles } from './find-acceptance-files.ts';
export { rememberTexts } from './remember-texts.ts';

/** Loaded when there is a policy: it brings along all that a policy may speak of. */
export async function loadPolicy(request: PolicyRequest, report: Report): Promise<RuleLayer | undefined> {
  const { loadPolicy: load } = await import('./application/load-policy.ts');
  return load(request, report);
}
