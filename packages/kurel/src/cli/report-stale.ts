import type { Delivery } from './open-output.ts';
import type { Environment } from './environment.ts';
import { cliProblems } from './problems.ts';
import { writeDiff } from './write-diff.ts';
import type { Difference } from './write-diff.ts';

/** Prints what would change as a diff and says which files it is about. */
export async function reportStale(list: readonly Difference[], environment: Environment): Promise<Delivery> {
  await writeDiff(list, { color: false, escape: true, hidesSecrets: true }, environment);
  const diagnostics = list.map(({ path, before, after }) => {
    const state = before === undefined ? 'missing' : after === undefined ? 'left over' : 'different';
    return cliProblems.create('output-stale', { path, state });
  });
  return { exitCode: list.length === 0 ? 0 : 1, diagnostics };
}
