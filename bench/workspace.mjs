import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const usualRounds = 9;
const script = fileURLToPath(new URL('build-in-workspace.mjs', import.meta.url));

/** Many builds of one small application in one process: the second beside the first, and the heap after many. */
export function measureWorkspace({ root, kurel, rounds }) {
  const application = join(root, 'examples', 'applications', 'metrics');
  const run = (builds, ...flags) => {
    const args = [...flags, '--expose-gc', script, dirname(dirname(kurel)), application, String(builds)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  };
  const samples = Array.from({ length: Math.min(usualRounds, rounds) }, () => run(2));
  // V8 keeps on optimising, and the code that it makes is in the heap too.
  const { heaps, objects } = run(10_000, '--no-opt');
  const build = { case: 'workspace', what: 'a small application in a workspace', rounds: samples.length, objects };
  const heap = { case: 'workspace-heap', what: 'the heap of a workspace, without optimised code', rounds: 1, objects };
  return [
    { ...build, subject: 'the first build', role: 'floor', seconds: median(samples.map(({ first }) => first)) },
    { ...build, subject: 'the second build', role: 'kurel', seconds: median(samples.map(({ second }) => second)) },
    { ...heap, subject: 'after 1,000 builds', role: 'floor', ...heaps[1000] },
    { ...heap, subject: 'after 10,000 builds', role: 'kurel', ...heaps[10_000] },
  ];
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
