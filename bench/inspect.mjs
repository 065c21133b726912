import { join } from 'node:path';

import { nodeFloor, prepareJson } from './floors.mjs';
import { measureInTurns } from './measure.mjs';
import { writePatched } from './patch.mjs';
import { kurelRun } from './runs.mjs';

/** The commands that look into a build: what patches change in it, where a field comes from, and which images it has. */
export async function measureInspect(context) {
  const rows = [];
  for (const [count, rounds] of [
    [1000, 9],
    [10_000, 5],
  ]) {
    const { patched, own } = writePatched(join(context.out, `inspect-${count}`), count);
    const { floor } = prepareJson(context, { id: `inspect-${count}`, args: [patched, '--patch', own] });
    const questions = [
      { name: 'diff', args: [patched, '--patch-b', own], status: 1 },
      { name: 'explain', args: [patched, 'team-0/deployment.app-0', 'replicas', '--patch', own] },
      { name: 'images', args: [patched, '--patch', own] },
    ];
    for (const { name, args, ...rest } of questions) {
      const runs = [nodeFloor, floor, kurelRun(context, { args: [name, ...args], printsObjects: false, ...rest })];
      const what = `${count.toLocaleString('en')} manifests with patches, kurel ${name}`;
      rows.push(...(await measureInTurns(context, { id: `${name}-${count}`, what, runs, rounds })));
    }
  }
  return rows;
}
