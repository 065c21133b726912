import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a mutant is listed as one that nobody could observe. */
export function readEquivalent(root) {
  const listed = JSON.parse(readFileSync(join(root, 'scripts/mutants/equivalent.json'), 'utf8'));
  const keys = new Set(listed.map(({ path, line, code, mutant }) => JSON.stringify([path, line, code, mutant])));
  return ({ path, context, before, text }) => keys.has(JSON.stringify([path, context, before, text]));
}
