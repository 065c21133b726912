import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What is published, set aside: a build that somebody makes meanwhile does not change what is measured. */
export function keepProgram(root, to) {
  const from = join(root, 'packages', 'kurel');
  if (!existsSync(join(from, 'dist'))) throw new Error('kurel is not built: npm run build');
  rmSync(to, { recursive: true, force: true });
  for (const name of ['package.json', 'bin', 'dist', 'schemas'])
    cpSync(join(from, name), join(to, name), { recursive: true });
  const { bin } = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'));
  return join(to, bin.kurel);
}
