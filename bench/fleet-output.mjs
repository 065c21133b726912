import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { objectsPerTarget } from './write-fleet.mjs';

/**
 * As on a machine that has the code of kurel, but has never built this fleet. An earlier output is only moved away: a file system that has
 * just deleted 70,000 files takes several times as long to create as many.
 */
export function forgetFleet({ out }, { output }) {
  if (existsSync(output)) {
    mkdirSync(join(out, 'old'), { recursive: true });
    renameSync(output, join(out, 'old', `rendered-${Date.now()}`));
  }
  const cache = join(out, 'cache', 'kurel');
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    if (/^fleet-\w+\.json$/.test(name)) rmSync(join(cache, name));
  }
}

/** Deletes what was moved away, after all measurements. */
export function removeOld({ out }) {
  rmSync(join(out, 'old'), { recursive: true, force: true });
}

export function checkTargets({ output }, pairs) {
  for (const { app, cluster } of pairs) {
    const files = readdirSync(join(output, cluster, app)).filter((name) => name.endsWith('.yaml'));
    if (files.length !== objectsPerTarget) throw new Error(`${cluster}/${app} has ${files.length} objects`);
  }
}
