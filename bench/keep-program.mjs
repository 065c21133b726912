import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
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

/** The standalone executable of the same sources; `undefined` if it cannot be made here, which is said. */
export function makeExecutable(root, to) {
  try {
    execFileSync(process.execPath, [join(root, 'scripts', 'executable.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    console.error(`the executable cannot be made, so it is not measured:\n${error.stderr ?? error.message}`);
    return undefined;
  }
  copyFileSync(join(root, 'dist', process.platform === 'win32' ? 'kurel.exe' : 'kurel'), to);
  return to;
}
