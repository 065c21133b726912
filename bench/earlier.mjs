import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { keepProgram } from './keep-program.mjs';

/**
 * Builds kurel as it was at a revision, with the dependencies that it had, in a checkout that is removed afterwards; `prepare` is called
 * with the checkout before it is copied.
 */
export function buildEarlier({ root, out, revision, prepare }) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);
  const scratch = mkdtempSync(join(tmpdir(), 'kurel-bench-'));
  const checkout = join(scratch, 'checkout');
  console.error(`building ${revision} …`);
  try {
    git('worktree', 'add', '--quiet', '--detach', checkout, commit);
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
    prepare?.(checkout);
    // It has a cache of its own: one program must not remove what the other keeps there.
    return { program: keepProgram(checkout, join(out, 'earlier')), cache: join(out, 'earlier-cache') };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}

/** Those runs that start kurel, each followed by the same run of the earlier program. */
export function besideEarlier({ kurel, earlier }, runs) {
  return runs
    .filter(({ args }) => args.includes(kurel))
    .flatMap((run) => [
      run,
      {
        ...run,
        role: 'earlier',
        args: run.args.map((word) => (word === kurel ? earlier.program : word)),
        variables: { ...run.variables, XDG_CACHE_HOME: earlier.cache },
        check: undefined,
      },
    ]);
}
